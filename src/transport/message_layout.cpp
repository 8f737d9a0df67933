#include "transport/message_layout.hpp"

#include <utility>

namespace sv {

int64_t bytes_of_node(const Schedule &schedule, const Topology &topology, const MessagePlace &place) {
  int64_t bytes = 0;
  for (const int rank : topology.ranks_of[static_cast<size_t>(place.node)])
    bytes += schedule.bytes_of(rank, place.sink, place.round);
  return bytes;
}

const std::byte *spread_body(const Schedule &schedule, const Topology &topology, const MessagePlace &place,
                             const std::byte *body, std::byte *slice) {
  for (const int rank : topology.ranks_of[static_cast<size_t>(place.node)]) {
    schedule.spread({rank, place.sink, place.round}, body, slice);
    body += schedule.bytes_of(rank, place.sink, place.round);
  }
  return body;
}

std::byte *gather_body(const Schedule &schedule, const Topology &topology, const MessagePlace &place,
                       const std::byte *slice, std::byte *body) {
  for (const int rank : topology.ranks_of[static_cast<size_t>(place.node)]) {
    schedule.gather({rank, place.sink, place.round}, slice, body);
    body += schedule.bytes_of(rank, place.sink, place.round);
  }
  return body;
}

bool stands_in_parts(const Schedule &schedule, int sink) {
  constexpr int64_t large_bytes = 1 << 20;
  return schedule.is_scattered() && schedule.slice_bytes(sink, 0) >= large_bytes;
}

int64_t part_begin(const Schedule &schedule, const Topology &topology, const MessagePlace &place, int node) {
  if (node == place.node) return 0;
  int64_t begin = bytes_of_node(schedule, topology, place);
  for (int before = 0; before < node; ++before)
    if (before != place.node) begin += bytes_of_node(schedule, topology, {before, place.sink, place.round});
  return begin;
}

void put_in_order(const Schedule &schedule, const Topology &topology, const MessagePlace &place, const std::byte *parts,
                  std::byte *slice) {
  if (schedule.fills()) schedule.fill(place.sink, place.round, slice);
  parts = spread_body(schedule, topology, place, parts, slice);
  for (int node = 0; node < topology.nodes(); ++node)
    if (node != place.node) parts = spread_body(schedule, topology, {node, place.sink, place.round}, parts, slice);
}

SinkLists sinks_of(const Schedule &schedule, const Node &node) {
  SinkLists lists;
  std::vector<int> of_node = schedule.sinks_of_node(node.index());
  lists.of_node = of_node.size();
  for (const int s : of_node)
    if (schedule.rank_of(s) == node.rank()) lists.own.push_back(s);
  lists.here = schedule.is_at_home() ? lists.own : std::move(of_node);
  if (schedule.is_at_home() || node.topology().nodes() == 1) return lists;
  for (int s = 0; s < schedule.sinks(); ++s)
    if (!node.topology().same_node(schedule.rank_of(s), node.rank())) lists.remote.push_back(s);
  return lists;
}

int message_tag(int stage, int sink) {
  constexpr int first = 16, tags = 8192;  // gates use tags below `first`; MPI promises 32767
  return first + (sink % tags) * window_stages + stage;
}

}  // namespace sv
