// How much of given boxes the writers take in, round by round, counted and not bounded. Only the search for the size of
// the rounds (plan/rounds.cpp) uses it, which tells it how long it may count.
#pragma once

#include <optional>
#include <vector>

#include "plan/plan.hpp"

namespace sv {

/// A box of the field whose elements are added up in sum `sum`; but for what writers on node `but_node` take in.
struct CountedBox {
  Box box;
  int sum;
  int but_node = -1;
};

/// Of every sum, the most elements that the sinks of the last stage take in of its boxes in one round. A sink is held
/// against those boxes only whose rows its share of the round meets; nothing where there are more than `most` such
/// pairs.
std::optional<std::vector<int64_t>> most_in_rounds(const Plan &plan, const Topology &topology,
                                                   std::vector<CountedBox> boxes, int64_t most);

}  // namespace sv
