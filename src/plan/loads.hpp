// The data that nodes send to a sink, round by round, and the contents of their windows as a function of the size of
// the rounds. plan/rounds.cpp finds the size of the rounds with it; the traffic and sv-plan count with it; the
// transport carries out the same without it.
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

/// How many cells of `part` (inside `whole`) any `length` consecutive positions of `whole`'s row-major order hold at
/// most. An upper bound, exact for whole slabs, that grows with `length`. O(dims).
int64_t most_in_window(const Box &part, const Box &whole, int64_t length);

/// A node's part of `part` goes to `sinks` sinks on other nodes, each of which takes a window of `whole`'s order in a
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

/// Whether a place in the window begins with a sink, by the sink that it feeds: each sink of the last stage has one,
/// and each I/O domain has one for all its collected data.
inline bool begins_place(int feeds) { return feeds <= 0; }

/// An upper bound of the elements in the place that begins with this sink, in any round; grows with `round_elements`,
/// as do the next two.
int64_t place_elements(const Plan &plan, const Sinks &sinks, int sink, int64_t round_elements);
/// An upper bound of the elements in the places of a load, each rounded up to `alignment` elements.
int64_t elements_in(const Plan &plan, const Load &load, int64_t round_elements, int64_t alignment);
/// An upper bound of the elements that a load sends in a round: as if every sink might want the same rows at once.
int64_t elements_out(const Load &load, int64_t round_elements);

}  // namespace sv
