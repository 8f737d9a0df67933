// The gate: every collective call passes it, before anything moves and again when all is done. Ranks compare what they
// call, learn of each other's errors, and agree on a few numbers. On a node this is shared memory; between nodes, a
// tree of point-to-point messages of the node leaders, so that the watchdog can name the rank that is missing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "transport/node.hpp"

namespace sv {

/// What is agreed upon: equal on all ranks.
using Agreed = std::array<int64_t, agreed_values>;

class Gate {
 public:
  explicit Gate(const Node &node) : node_(node) {}

  /// Nobody else passes it: there is nothing to compare, and `signature` is not looked at.
  bool is_of_one() const { return node_.size() == 1 && node_.topology().nodes() == 1; }
  /// Collective. `call` names what this rank calls, for messages; `signature` covers everything that must be equal
  /// (base/signature.hpp).
  /// Throws the same Error on every rank: where calls differ (order), where a rank brings an `error` (the lowest
  /// rank's), or where a rank was awaited too long (timeout); after that no call works any more. Returns the maxima of
  /// `values`. `about`: a number that goes with the error.
  Agreed agree(uint64_t signature, const std::string &call, const Error *error, const Agreed &values = {},
               int64_t about = 0);
  /// The maxima of the last agreement, also of one that has thrown the error of a rank.
  const Agreed &last() const { return last_; }
  /// The number that went with the error that was thrown.
  int64_t about() const { return about_; }

 private:
  Agreed agree_alone(const Error *error, const Agreed &values, int64_t about);
  void enter(const Ballot &mine);
  Ballot collect_node() const;
  Ballot absence(const std::string &whom, int rank) const;
  void exchange_tree(Ballot &ballot);
  void lead(uint32_t everybody);
  bool await_verdict(bool one_node) const;
  void send(const Ballot &ballot, int rank);
  /// The ballot of a neighbour in the tree, or its verdict. One that says it is still here is given as long again.
  std::optional<Ballot> hear(int rank, double limit_share);
  bool complete(MPI_Request &request, const Deadline &deadline);
  /// Now and then, while this leader waits: tells its neighbours that what it owes them (its ballot, its
  /// verdict) is late because it awaits others. One that came early would take it for the missing one.
  void tell_still_here();
  int leader_of(int node) const { return node_.topology().ranks_of[static_cast<size_t>(node)].front(); }
  std::vector<int> children() const;
  bool is_here(int local_rank) const;
  std::string missing_here() const;

  const Node &node_;
  uint32_t passed_ = 0;  // gates passed so far
  Agreed last_{};
  int64_t about_ = 0;
  // Of the current gate: when this rank entered it, and last said that it is still here; whether it has sent its
  // ballot, and still owes the verdict.
  Moment begun_, noticed_;
  bool voted_ = false, owes_ = false;
  std::vector<MPI_Request> sending_;
};

}  // namespace sv
