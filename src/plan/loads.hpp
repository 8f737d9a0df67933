// What the windows of the nodes must hold, as a function of the size of the rounds. The size of the rounds is found by
// it (plan/rounds.hpp), and sv-plan shows it.
#pragma once

#include <vector>

#include "plan/plan.hpp"

namespace sv {

/// How many cells of `part` (inside `whole`) any `length` consecutive positions of `whole`'s row-major order hold at
/// most. An upper bound, exact for whole slabs, that grows with `length`. O(dims).
int64_t most_in_window(const Box &part, const Box &whole, int64_t length);

/// What a node owns of `part` goes to `sinks` sinks elsewhere, each of which takes a window of `whole`'s order in a
/// round.
struct Demand {
  Box part, whole;
  int64_t sinks;
};

/// A stage on a node whose budget may limit the size of the rounds.
struct Load {
  const Stage *stage;
  int node;
  std::vector<Demand> outgoing;  // empty where all that the node owns may be sent in one round
};

/// The stage-and-node pairs that may limit the rounds: nodes with sinks, and nodes that own more than they may send at
/// once.
std::vector<Load> loads_of(const Plan &plan, const Topology &topology, int64_t outgoing_bytes);

/// Whether a place in the window begins with this sink: each sink of the last stage has one, and each I/O domain has
/// one for all that it collects.
inline bool begins_place(const Sink &sink) { return sink.feeds <= 0; }

/// An upper bound of the elements in the place that begins with this sink, in any round; grows with `round_elements`,
/// as do the next two.
int64_t place_elements(const Plan &plan, const Sink &sink, int64_t round_elements);
/// An upper bound of the elements in the places of a load, each rounded up to `alignment` elements.
int64_t elements_in(const Plan &plan, const Load &load, int64_t round_elements, int64_t alignment);
/// An upper bound of the elements that a load sends in a round: as if every sink might want the same rows at once.
int64_t elements_out(const Load &load, int64_t round_elements);

}  // namespace sv
