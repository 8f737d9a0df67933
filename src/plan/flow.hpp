// What a node sends to a sink, round by round. The bounds of the rounds (plan/loads.hpp), the traffic and sv-plan count
// by it; the transport carries out the same without asking it.
#pragma once

#include <functional>
#include <vector>

#include "plan/plan.hpp"

namespace sv {

/// The cells of the field that `ranks` own as sources of the stage, in as few boxes as possible.
std::vector<Box> boxes_of(const Plan &plan, const Stage &stage, const std::vector<int> &ranks);

/// Calls visit(round, elements) for every round in which `parts`, disjoint boxes of the field, have elements for
/// `sink`; in the order of the sink's chunks. One count per part and chunk.
void for_each_flow(const Plan &plan, const Sink &sink, const std::vector<Box> &parts,
                   const std::function<void(int round, int64_t elements)> &visit);

}  // namespace sv
