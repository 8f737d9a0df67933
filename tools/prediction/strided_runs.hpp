// The plan as strided records: the parts of a block in each round and sink, for printing and drawing. The transport
// does not use them; it packs row by row (src/packing).
#pragma once

#include <cstdint>
#include <vector>

#include "plan/plan.hpp"

namespace sv {

/// A strided record of the plan, as printed and drawn: `count` runs of `length` elements, the i-th at `position` + i *
/// `stride` of the sink's share (relative to its first element).
struct StridedRun {
  int64_t position, length, stride, count;
};
/// The part of `patch` in a share: ascending, disjoint. A record per slab of the patch, and one for each row or slab
/// that the share cuts.
std::vector<StridedRun> strided_runs(const Plan &plan, int stage, const Box &patch, int sink, int round);

}  // namespace sv
