// What both directions of a transport ask of a plan.
#pragma once

#include <cstdint>

#include "plan/plan.hpp"
#include "transport/node.hpp"

namespace sv {

struct MessagePlace {
  int node, sink, round;
};
/// Bytes that the ranks of a node have in what a sink takes in in a round: the body of one message.
int64_t bytes_of_node(const Plan &plan, int stage, const Topology &topology, const MessagePlace &place);

/// The tag of messages to or from a sink. Messages of one pair of ranks and sink are in the order of rounds.
int message_tag(int stage, int sink);

}  // namespace sv
