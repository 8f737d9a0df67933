// How large a round may be. Internal to plan.
#pragma once

#include "plan/plan.hpp"

namespace sv {

/// How many cells of `part` (inside `whole`) any `length` consecutive positions of `whole`'s row-major order hold at
/// most. An upper bound, exact for whole slabs, that grows with `length`. O(dims).
int64_t most_in_window(const Box &part, const Box &whole, int64_t length);

/// Sets the size and number of rounds of a plan whose stages are complete, the sinks' phases, and where their slices
/// stand. Throws Error(limit) when the budget has no room for one element per slice.
void set_rounds(Plan &plan, const Topology &topology, const Budget &budget, int64_t stripe_bytes);

}  // namespace sv
