// The tree of a gate between nodes. The first rank of each node sends its ballot up. At the root, where all have come,
// the root action is carried out, there or on a rank that receives its data; and the verdict comes down. Messages are
// point to point, so that the watchdog can name the missing rank. Used by the gate.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "transport/all_enclosed.hpp"
#include "transport/ballots.hpp"
#include "transport/gate_messages.hpp"
#include "transport/node.hpp"
#include "transport/root_action.hpp"

namespace sv {

// of the watchdog's limit: the interval in which a waiting rank notifies its neighbours
constexpr double notice_interval = 0.05;

/// A rank's data for the tree in one gate.
struct TreeVisit {
  uint32_t gate;             // its number, from 1 on
  Moment begun;              // when this rank entered it
  const RootAction *action;  // nullptr: none
  // carries out the action if it is this rank's and all agree, and enters the result
  std::function<void(Ballot &)> act;
};

class GateTree {
 public:
  explicit GateTree(const Node &node) : node_(node), messages_(node) {}

  void enter(TreeVisit visit);
  /// On the first rank of a node. Now and then, while it waits: notifies its neighbours that its message (its ballot,
  /// its verdict) is late because it awaits others. Without this, an early rank would take it for the missing one.
  void report_still_here();
  /// Ranks of this node were awaited so long since they get on: others are awaited from this moment on.
  void begin_again(Moment moment) { visit_.begun = moment; }
  /// Makes the verdict of the ballot of this node; `all_here`: all of its ranks have come. The payloads of all ranks
  /// are in the node's memory then.
  void exchange(Ballot &ballot, bool all_here);

  /// On the rank of the deed, until it was asked for it.
  bool may_be_asked() const { return may_be_asked_; }
  /// While it waits for the verdict: does the deed if the root asks for it.
  void serve_root();

  /// After the verdict: completes this rank's sends.
  void finish();
  /// A rank's payload in the gate that this rank has entered last.
  std::span<const std::byte> enclosed_by(int rank) const { return all_enclosed().by(rank, visit_.gate); }
  /// In a root action: data of another node.
  std::span<const std::byte> sent_by(int node) const { return messages_.sent_by(node); }

 private:
  /// Of this gate: those of even numbers and of odd ones have memory of their own behind the slots of the node.
  AllEnclosed all_enclosed() const;
  void pack_here();
  void have_done(Ballot &ballot);
  /// The ballot of a neighbour, or its verdict. One that says it is still here is given as long again.
  std::optional<Ballot> hear(int rank, double limit_share);
  std::optional<Ballot> hear_of_deed(int rank);
  bool complete(MPI_Request &request, const Deadline &deadline);
  int leader(int node) const { return forwarder(node_.topology(), node); }
  std::vector<int> children() const;

  const Node &node_;
  GateMessages messages_;
  // Of the current gate: when this leader last said that it is still here; whether it has sent its ballot, and still
  // owes the verdict.
  TreeVisit visit_{};
  Moment noticed_;
  bool voted_ = false, owes_ = false, may_be_asked_ = false;
};

}  // namespace sv
