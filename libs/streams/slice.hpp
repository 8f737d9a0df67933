// A part of an axis that a stream writes: every n-th cell of a range.
#pragma once

#include <cstdint>
#include <string>

namespace sv::streams {

/// Cells are counted from 0; `end` is exclusive.
struct Slice {
  std::string axis;
  int64_t begin = 0, end = 0, step = 1;

  int64_t length() const { return (end - begin + step - 1) / step; }
};

/// Of "3", "0:10" or "0:30:5". Throws std::invalid_argument for another text.
Slice slice_of(const std::string &axis, const std::string &text);

}  // namespace sv::streams
