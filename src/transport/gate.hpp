// The gate: every collective call passes it, before anything moves and again when all is done. Ranks compare what they
// call, learn of each other's errors, and agree on a few numbers. On a node this is shared memory; between nodes, a
// tree of point-to-point messages of the node leaders, so that the watchdog can name the rank that is missing.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "transport/gate_messages.hpp"
#include "transport/node.hpp"

namespace sv {

/// What is agreed upon: equal on all ranks.
using Agreed = std::array<int64_t, agreed_values>;

/// What one rank does when all have come and agree, before any of them goes on: so one meeting does for what would need
/// one before it and one behind it.
struct Deed {
  int rank;                      // who does it; the same on all ranks
  std::function<void()> action;  // called there alone
  /// What the ranks of this node send it (Gate::takes so much of all nodes): looked at on the first rank of the node,
  /// when all of them have come. The action finds it by Gate::sent_by.
  std::span<const std::byte> sent{};
};

/// What a rank brings to a gate, beside what it calls and has failed with.
struct Brought {
  Agreed values{};                        // of which the maxima are agreed
  const Deed *deed = nullptr;             // of a rank that can_act; what it throws is thrown on every rank
  std::span<const std::byte> enclosed{};  // what others may read when all have passed, where the gate carries it
  int64_t about = 0;                      // a number that goes with the error
};

class Gate {
 public:
  explicit Gate(const Node &node) : node_(node), messages_(node) {}

  /// Nobody else passes it: there is nothing to compare, and `signature` is not looked at.
  bool is_of_one() const { return node_.size() == 1 && node_.topology().nodes() == 1; }
  /// Collective. `call` names what this rank calls, for messages; `signature` covers everything that must be equal
  /// (base/signature.hpp).
  /// Throws the same Error on every rank: where calls differ (order), where a rank brings an `error` (the lowest
  /// rank's), or where a rank was awaited too long (timeout); after that no call works any more. Returns the maxima of
  /// the values.
  Agreed agree(uint64_t signature, const std::string &call, const Error *error, const Brought &brought = {});
  /// Whether a Deed may be of this rank: of any on one node; between nodes, of the first.
  bool can_act(int rank) const;
  /// Whether a gate carries enclosures, of up to so many bytes of each rank.
  bool carries(size_t bytes) const;
  /// Whether it carries so much from all other nodes to the rank of the deed.
  bool takes(int64_t bytes) const { return bytes <= GateMessages::most_sent_bytes; }
  /// In a deed: what another node has sent.
  std::span<const std::byte> sent_by(int node) const { return messages_.sent_by(node); }
  /// What a rank has brought to the last gate. It stays until this rank enters the next one.
  std::span<const std::byte> enclosed_by(int rank) const;
  /// The maxima of the last agreement, also of one that has thrown the error of a rank; in a deed, of this one.
  const Agreed &last() const { return last_; }
  /// The number that went with the error that was thrown.
  int64_t about() const { return about_; }
  /// Whether what the last agreement has thrown is what its deed has failed with.
  bool deed_failed() const { return deed_failed_; }

 private:
  Agreed agree_alone(const Error *error, const Brought &brought);
  void act(Ballot &ballot);
  void keep(std::span<const std::byte> enclosed);
  void reach(Counter &counter) const;
  bool meet_here(bool last);
  bool meet_in_tree(bool last);
  void enter(const Ballot &mine, std::span<const std::byte> enclosed);
  Ballot collect_node() const;
  Ballot absence(const std::string &whom, int rank) const;
  void exchange_tree(Ballot &ballot);
  void lead();
  /// What the counter of those who have entered has when all of this node are in the current gate.
  uint32_t all_entered() const { return (passed_ + 1) * static_cast<uint32_t>(node_.size()); }
  void pack_here();
  /// The ballot of a neighbour in the tree, or its verdict. One that says it is still here is given as long again.
  std::optional<Ballot> hear(int rank, double limit_share);
  bool complete(MPI_Request &request, const Deadline &deadline);
  /// Now and then, while this leader waits: tells its neighbours that what it owes them (its ballot, its
  /// verdict) is late because it awaits others. One that came early would take it for the missing one.
  void tell_still_here();
  std::vector<int> children() const;
  bool is_here(int local_rank) const;
  std::string missing_here() const;

  const Node &node_;
  uint32_t passed_ = 0;  // gates passed so far
  Agreed last_{};
  int64_t about_ = 0;
  bool deed_failed_ = false;
  // Of the current gate: when this rank entered it, and last said that it is still here; whether it has sent its
  // ballot, and still owes the verdict.
  Moment begun_, noticed_;
  bool voted_ = false, owes_ = false;
  GateMessages messages_;
  const Deed *deed_ = nullptr;
};

}  // namespace sv
