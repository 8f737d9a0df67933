// A share of a field: the cells that a sink receives at once, or that an owner has. Plans, and the code that carries
// them out, name cells by it. A value.
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
