// A box in parts of bounded size, for those who move its cells through bounded memory.
#pragma once

#include <algorithm>
#include <cstdint>

#include "layout/box.hpp"

namespace sv {

/// Calls visit(part) for boxes that follow one another in the row-major order of `box`, each of at most `most()`
/// elements, which is asked for each. They have one cell in the dimensions before `first`. `d`: the dimension to begin
/// with.
template <class Most, class Visit>
void for_box_parts(const Box &box, int d, int first, const Most &most, const Visit &visit) {
  if (box.empty()) return;
  if (d == box.count.n) return visit(box);  // of no dimensions
  const int64_t inner = box.elements() / box.count[d];
  Box part = box;
  for (int64_t done = 0; done < box.count[d]; done += part.count[d]) {
    const int64_t fit = d < first ? 0 : most() / inner;
    part.start[d] = box.start[d] + done;
    part.count[d] = std::clamp<int64_t>(fit, 1, box.count[d] - done);
    if (fit == 0 && d + 1 < box.count.n)
      for_box_parts(part, d + 1, first, most, visit);
    else
      visit(part);
  }
}

}  // namespace sv
