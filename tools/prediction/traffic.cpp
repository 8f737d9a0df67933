#include "prediction/traffic.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "plan/chunk_grid.hpp"
#include "plan/loads.hpp"

namespace sv {

namespace {

/// The length of the contiguous pieces that `box` has in the field's order; 0 for the whole field.
int64_t piece_elements(const Box &box, const Index &shape) {
  int64_t length = 1;
  for (int d = shape.n - 1; d >= 0; --d) {
    length *= box.count[d];
    if (box.count[d] != shape[d]) return length;
  }
  return 0;
}

void add_writes(const Plan &plan, int sink, Traffic &traffic) {
  const int stage = static_cast<int>(plan.stages.size()) - 1;
  const int64_t piece = plan.set ? 0 : piece_elements(plan.stages.back().sinks[sink].territory.box, plan.field.shape);
  for (int round = 0; round < plan.rounds; ++round) {
    const Share share = plan.share(stage, sink, round);
    if (share.elements() == 0) continue;
    traffic.written_bytes += share.elements() * plan.field.element_bytes;
    traffic.writes += piece == 0 ? 1 : (share.last + piece - 1) / piece - share.first / piece;
  }
}

void add_placed(const Plan &plan, int rank, Traffic &traffic) {
  for (const Stage &stage : plan.stages) {
    for (const Patch &patch : stage.sources->patches_of_rank(rank)) {
      traffic.placed_bytes += plan.extend(patch.box).elements() * plan.field.element_bytes;
    }
  }
}

/// The counter of a rank's traffic; nullptr if it is not requested.
using Account = std::function<Traffic *(int rank)>;

/// Adds messages to the counters of their two ends, as far as these are requested.
struct Ends {
  Traffic *sender, *receiver;

  bool are_asked_about() const { return sender != nullptr || receiver != nullptr; }
  void add(int64_t messages, int64_t bytes) const {
    if (sender != nullptr) {
      sender->messages_sent += messages;
      sender->sent_bytes += bytes;
    }
    if (receiver != nullptr) {
      receiver->messages_received += messages;
      receiver->received_bytes += bytes;
    }
  }
};

void add_messages(const Plan &plan, const Stage &stage, const Topology &topology, int node, const Account &account) {
  const std::vector<Box> parts = boxes_of(plan, stage, topology.ranks_of[node]);
  bool meets = false;  // whether this I/O domain has cells of the node
  for (int s = 0; s < static_cast<int>(stage.sinks.size()); ++s) {
    const Sink &sink = stage.sinks[s];
    if (begins_place(sink.feeds)) {
      meets = std::any_of(parts.begin(), parts.end(), [&](const Box &part) { return meet(part, sink.territory.box); });
    }
    if (!meets || topology.node_of[sink.rank] == node) continue;
    const Ends ends{account(forwarder(topology, node)), account(sink.rank)};
    if (!ends.are_asked_about()) continue;
    int64_t messages = 0, bytes = 0;
    for_each_flow(plan, sink, parts, [&](int, int64_t elements) {
      ++messages;
      bytes += elements * plan.field.element_bytes;
    });
    ends.add(messages, bytes);
  }
}

/// For sinks that take chunks in turn. A node sends its part of a chunk as one message, or as one per round if the
/// chunk comes in parts.
void add_chunk_messages(const Plan &plan, const Topology &topology, int node, const Account &account) {
  const Stage &stage = plan.stages.front();
  const ChunkGrid grid(plan.field);
  const std::vector<Box> boxes = boxes_of(plan, stage, topology.ranks_of[node]);
  std::set<int64_t> chunks;
  for (const Box &box : boxes)
    for (const int64_t number : grid.meeting(box)) chunks.insert(number);
  for (const int64_t number : chunks) {
    const auto sink = static_cast<int>(number % std::ssize(stage.sinks));
    const int to = stage.sinks.rank(sink), first = static_cast<int>(number / std::ssize(stage.sinks)) * plan.parts;
    const Ends ends{account(forwarder(topology, node)), account(to)};
    if (topology.node_of[to] == node || !ends.are_asked_about()) continue;
    for (int round = first; round < first + plan.parts; ++round) {
      const Share share = plan.share(0, sink, round);
      int64_t elements = 0;
      for (const Box &box : boxes)
        if (meet(box, share.box)) elements += elements_in(intersect(box, share.box), share);
      if (elements > 0) ends.add(1, elements * plan.field.element_bytes);
    }
  }
}

void add_all(const Plan &plan, const Topology &topology, const Account &account) {
  for (int rank = 0; rank < topology.ranks(); ++rank) {
    if (Traffic *const traffic = account(rank)) add_placed(plan, rank, *traffic);
  }
  const Sinks &writers = plan.stages.back().sinks;
  for (int s = 0; s < static_cast<int>(writers.size()); ++s) {
    if (Traffic *const traffic = account(writers[s].rank)) add_writes(plan, s, *traffic);
  }
  // Where every block is written by its owner there are no messages; finding that out would cost nodes x ranks.
  if (plan.at_home) return;
  for (const Stage &stage : plan.stages) {
    for (int node = 0; node < topology.nodes(); ++node) {
      if (plan.by_chunks)
        add_chunk_messages(plan, topology, node, account);
      else
        add_messages(plan, stage, topology, node, account);
    }
  }
}

}  // namespace

Traffic traffic_of(const Plan &plan, const Topology &topology, int rank) {
  Traffic traffic;
  add_all(plan, topology, [&](int r) { return r == rank ? &traffic : nullptr; });
  return traffic;
}

std::vector<Traffic> traffic_of_all(const Plan &plan, const Topology &topology) {
  std::vector<Traffic> all(topology.ranks());
  add_all(plan, topology, [&](int rank) { return &all[rank]; });
  return all;
}

}  // namespace sv
