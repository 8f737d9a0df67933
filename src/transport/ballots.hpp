// What becomes of ballots (transport/node.hpp) in a gate, on a node and between nodes.
#pragma once

#include <string>

#include "transport/node.hpp"

namespace sv {

bool has_timed_out(const Ballot &ballot);
/// Merges what `other` brings into `ballot`. A rank that is missing outranks all other errors, for then no call can
/// work any more; otherwise the lowest rank's error is told. Ranks that make different calls are an error, too.
void merge(Ballot &ballot, const Ballot &other);
/// Says that this rank awaited `ranks`, numbers in words, too long in its call; of rank `rank`.
Ballot absence(const Node &node, const std::string &ranks, int rank);

}  // namespace sv
