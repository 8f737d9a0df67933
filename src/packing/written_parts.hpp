// The owned parts of shares, and the written parts of the slices of a plan. The first writing of a slab fills cells
// without an owner; later ones leave them unchanged.
#pragma once

#include <span>
#include <vector>

#include "packing/point_rows.hpp"
#include "plan/plan.hpp"

namespace sv {

/// The maximal segments of `share` that the boxes cover: positions in the row-major order of share.box, ascending, none
/// touching. Memory grows with the rows of the boxes inside the share: call it for shares of bounded size.
std::vector<Segment> covered_segments(std::span<const Box> boxes, const Share &share);
/// The same of lists of runs of points; `first`: the position at which the share begins.
std::vector<Segment> covered_by_points(std::span<const PointRuns> lists, const CellRanges &ranges, int64_t first);
/// The cells of a share that have no owner, on a layout of points, and the other cells.
std::vector<Segment> hole_segments(const Plan &plan, const Share &share);
std::vector<Segment> owned_segments(const Plan &plan, const Share &share);

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
  std::vector<Box> boxes_;  // without points: boxes of filled holes, or of owned cells
};

}  // namespace sv
