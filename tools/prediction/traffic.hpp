// The bytes, messages and writes of a plan, rank by rank, from its closed forms: nothing is carried out. sv-plan shows
// it, and tests compare real runs with it.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/plan.hpp"

namespace sv {

/// The traffic of one rank over all rounds: a trace of a real run must show the same. Sums over ranks: of placed bytes,
/// the bytes of the sources of every stage; of sent and received bytes and messages, the same.
struct Traffic {
  int64_t placed_bytes = 0;       // that it copies into a slice of its node or into its node's outgoing window
  int64_t messages_sent = 0;      // as forwarder(): one per sink elsewhere and round in which its node has bytes for it
  int64_t sent_bytes = 0;         // in those messages
  int64_t messages_received = 0;  // as the sink's rank: one per node elsewhere and round
  int64_t received_bytes = 0;     // in those messages
  int64_t written_bytes = 0;      // holes included, with the fill value
  int64_t writes = 0;             // contiguous runs of the file, per round
};
Traffic traffic_of(const Plan &plan, const Topology &topology, int rank);
/// All ranks at once, cheaper than one by one: 100,000 ranks in seconds.
std::vector<Traffic> traffic_of_all(const Plan &plan, const Topology &topology);

}  // namespace sv
