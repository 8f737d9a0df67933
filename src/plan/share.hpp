// A share of a field: what a sink takes in at once, and what an owner has. Plans, and whoever carries them out, tell by
// it which cells they mean. A value.
#pragma once

#include <cstdint>

#include "layout/box.hpp"

namespace sv {

/// Elements [first, last) of the row-major order of `box` (a box of the field).
struct Share {
  Box box;
  int64_t first, last;
  int64_t elements() const { return last - first; }
};

/// How many elements of a share a box inside its own has. O(dims).
inline int64_t elements_in(const Box &part, const Share &share) {
  return count_before(part, share.box, share.last) - count_before(part, share.box, share.first);
}

}  // namespace sv
