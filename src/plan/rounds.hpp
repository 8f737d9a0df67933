// Decides how large the rounds of a plan are, so that what a round moves fits every node's window. It is the last step
// of make_plan, and nobody else calls it.
#pragma once

#include "plan/plan.hpp"

namespace sv {

/// Sets the size and number of rounds of a plan whose stages are complete, the sinks' phases and turns, and where their
/// slices stand. Throws Error(limit) when the budget has no room for one element per slice.
void set_rounds(Plan &plan, const Conditions &conditions);

}  // namespace sv
