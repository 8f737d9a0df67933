// Contiguous stretches of the file in the blocks of a plan: whether they are long, and where they begin. The choice of
// a strategy asks this, and so does what writes the blocks of a rank (transfer/own_blocks.hpp). Values.
#pragma once

#include "plan/plan.hpp"
#include "strategy/strategy.hpp"

namespace sv {

/// The dimension from which on the cells of a box, for each index before, are contiguous in an array of this shape.
int first_of_run(const Box &box, const Index &shape);
/// The first contiguous run of a box, for the dimension that first_of_run gives.
Box first_run(Box box, int first);
/// Whether each block of the plan's layout consists of long stretches of the file (long_stretch_bytes).
bool has_long_stretches(const Plan &plan, const Layout &layout);

/// The facts about a field that its plan and its layout decide; all others are left as they are in `facts`.
Facts with_plan(Facts facts, const Plan &plan, const Layout &layout);

}  // namespace sv
