// The merging of ballots (transport/node.hpp) in a gate, on a node and between nodes.
#pragma once

#include <string>

#include "transport/node.hpp"

namespace sv {

bool has_timed_out(const Ballot &ballot);
/// Merges `other` into `ballot`. A missing rank outranks all other errors, for then no call can work any more;
/// otherwise the lowest rank's error counts. Different calls of ranks are an error, too.
void merge(Ballot &ballot, const Ballot &other);
/// Says that this rank awaited `ranks`, numbers in words, too long in its call; of rank `rank`.
Ballot absence(const Node &node, const std::string &ranks, int rank);

}  // namespace sv
