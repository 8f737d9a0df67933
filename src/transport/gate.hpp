// The gate: every collective call passes it, before anything moves and again when all is done. Ranks compare what they
// call, learn of each other's errors, and agree on a few numbers. On a node this is shared memory; between nodes, a
// tree of messages (transport/gate_tree).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "transport/agreed.hpp"
#include "transport/gate_tree.hpp"
#include "transport/node.hpp"
#include "transport/patience.hpp"
#include "transport/root_action.hpp"

namespace sv {

/// A rank's contribution to a gate, besides its call and its error.
struct GateInput {
  Agreed values{};                        // of which the maxima are agreed
  const RootAction *action = nullptr;     // its error is thrown on every rank
  std::span<const std::byte> enclosed{};  // data that others may read when all have passed, if the gate carries them
  int64_t about = 0;                      // a number that goes with the error
};

class Gate {
 public:
  explicit Gate(const Node &node) : node_(node), tree_(node) {}

  /// No other rank passes it: there is nothing to compare, and `signature` is not used.
  bool is_of_one() const { return node_.size() == 1 && node_.topology().nodes() == 1; }
  /// Collective. `call` names what this rank calls, for messages; `signature` covers everything that must be equal
  /// (base/signature.hpp).
  /// Throws the same Error on every rank: where calls differ (order), where a rank brings an `error` (the lowest
  /// rank's), or where a rank was awaited too long (timeout); after that no call works any more. Returns the maxima of
  /// the values.
  Agreed agree(uint64_t signature, const std::string &call, const Error *error, const GateInput &brought = {});
  /// Whether a gate carries enclosures, of up to so many bytes of each rank.
  bool carries(size_t bytes) const;
  /// Whether it carries so much from all other nodes to the rank of the deed.
  bool takes(int64_t bytes) const { return bytes <= most_sent_bytes; }
  /// In a root action: data of another node.
  std::span<const std::byte> sent_by(int node) const { return tree_.sent_by(node); }
  /// A rank's payload in the last gate. It stays until this rank enters the next one.
  std::span<const std::byte> enclosed_by(int rank) const;
  /// The maxima of the last agreement, also of one that has thrown the error of a rank; in a deed, of this one.
  const Agreed &last() const { return last_; }
  template <AgreedValues Values>
  Values last() const {
    return read_words<Values>(last_);
  }
  /// The number that went with the error that was thrown.
  int64_t about() const { return about_; }
  /// Whether the last agreement has thrown the error of its root action.
  bool deed_failed() const { return deed_failed_; }

 private:
  Agreed agree_alone(const Error *error, const GateInput &brought);
  void act(Ballot &ballot);
  void keep(std::span<const std::byte> enclosed);
  void reach(Counter &counter) const;
  bool meet_here(bool last);
  bool meet_in_tree(bool last);
  void enter(const Ballot &mine, std::span<const std::byte> enclosed);
  Ballot collect_node() const;
  void lead();
  bool await_release(Patience patience);
  /// The value of the entry counter when all ranks of this node are in the current gate.
  uint32_t all_entered() const { return (passed_ + 1) * static_cast<uint32_t>(node_.size()); }
  bool is_here(int local_rank) const;
  std::string missing_here() const;

  const Node &node_;
  GateTree tree_;
  uint32_t passed_ = 0;  // gates passed so far
  Agreed last_{};
  int64_t about_ = 0;
  bool deed_failed_ = false;
  Moment begun_;  // of the current gate: when this rank entered it
  const RootAction *deed_ = nullptr;
};

}  // namespace sv
