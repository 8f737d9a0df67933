// Which parts of a share somebody owns: runs of many boxes, put in order and merged where they touch.
#pragma once

#include <span>
#include <vector>

#include "layout/box.hpp"
#include "plan/plan.hpp"

namespace sv {

/// The maximal segments of `share` that the boxes cover: positions in the row-major order of share.box, ascending, none
/// touching. Memory grows with the rows of the boxes inside the share: call it for shares of bounded size.
std::vector<Segment> covered_segments(std::span<const Box> boxes, const Share &share);
/// What of a share of a field on a layout of points nobody owns, and the rest of the share, which somebody owns.
std::vector<Segment> hole_segments(const Plan &plan, const Share &share);
std::vector<Segment> owned_segments(const Plan &plan, const Share &share);

}  // namespace sv
