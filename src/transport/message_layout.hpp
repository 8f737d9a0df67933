// The sizes of messages, which both directions of a transport need from a schedule.
#pragma once

#include <cstdint>

#include "packing/schedule.hpp"
#include "transport/node.hpp"

namespace sv {

struct MessagePlace {
  int node, sink, round;
};
/// Bytes of the ranks of a node for a sink in a round: the body of one message.
int64_t bytes_of_node(const Schedule &schedule, const Topology &topology, const MessagePlace &place);
/// Spreads such a body over the slice of its sink, and gathers it from there; returns its end.
const std::byte *spread_body(const Schedule &schedule, const Topology &topology, const MessagePlace &place,
                             const std::byte *body, std::byte *slice);
std::byte *gather_body(const Schedule &schedule, const Topology &topology, const MessagePlace &place,
                       const std::byte *slice, std::byte *body);

/// Whether what the ranks of a node bring to a slice of it is better kept part by part, each rank's by itself: every
/// rank would touch all pages of a large slice, with short pieces on each. The same on all ranks.
bool stands_in_parts(const Schedule &schedule, int sink);
/// Where in such a slice the part of a node begins, in bytes. `place.node`: the sink's, whose own parts come first.
int64_t part_begin(const Schedule &schedule, const Topology &topology, const MessagePlace &place, int node);
/// A slice from its parts.
void put_in_order(const Schedule &schedule, const Topology &topology, const MessagePlace &place, const std::byte *parts,
                  std::byte *slice);

/// The sinks of a schedule that concern a rank.
struct SinkLists {
  std::vector<int> own;     // those that it serves
  std::vector<int> here;    // those of its node to which it may bring something, or from which it may take it
  std::vector<int> remote;  // those of other nodes to which its node may
  size_t of_node = 0;       // how many its node has
  /// How many its node fills, or empties.
  uint32_t used() const { return static_cast<uint32_t>(of_node + remote.size()); }
};
SinkLists sinks_of(const Schedule &schedule, const Node &node);

/// The tag of messages to or from a sink. Messages of one pair of ranks and sink are in the order of rounds.
int message_tag(int stage, int sink);

}  // namespace sv
