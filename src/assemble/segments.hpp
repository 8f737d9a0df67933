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
/// The rest of the share.
std::vector<Segment> left_between(const std::vector<Segment> &segments, const Share &share);

}  // namespace sv
