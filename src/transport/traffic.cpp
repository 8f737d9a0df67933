#include "transport/traffic.hpp"

namespace sv {

int64_t bytes_of_node(const Plan &plan, int stage, const Topology &topology, const MessagePlace &place) {
  int64_t elements = 0;
  for (const int rank : topology.ranks_of[static_cast<size_t>(place.node)])
    for (const Patch &patch : plan.stages[static_cast<size_t>(stage)].sources->patches_of_rank(rank))
      elements += plan.elements(stage, patch.box, place.sink, place.round);
  return elements * plan.field.element_bytes;
}

int message_tag(int stage, int sink) {
  constexpr int first = 16, tags = 8192;  // gates use tags below `first`; MPI promises 32767
  return first + (sink % tags) * window_stages + stage;
}

}  // namespace sv
