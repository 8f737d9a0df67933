// Which parts of the slices of a plan are written. Holes are defined: the first writing of a slab fills what nobody
// owns, and later ones leave what is there.
#pragma once

#include <vector>

#include "assemble/segments.hpp"

namespace sv {

class WrittenParts {
 public:
  /// Of the last stage of `plan`; `layout` says who owns what. Both outlive it. `fills`: holes get the fill value;
  /// otherwise they are left out.
  WrittenParts(const Plan &plan, const Layout &layout, bool fills);

  /// The parts of a share: positions in the row-major order of its box, ascending. All of it, unless holes are left.
  std::vector<Segment> of(const Share &share) const;
  /// Puts `fill`, one element in file order, into the holes of a share whose elements stand at `values`.
  void fill_holes(const Share &share, const std::byte *fill, std::byte *values) const;

 private:
  const Plan &plan_;
  const bool has_holes_, has_points_, fills_;
  std::vector<Box> boxes_;  // without points: of the holes that are filled, or of what somebody owns
};

}  // namespace sv
