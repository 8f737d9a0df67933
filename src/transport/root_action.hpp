// The action of one rank in a gate.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace sv {

/// One rank's action when all have come and agree, before any of them continues: one meeting replaces one before and
/// one after the action.
struct RootAction {
  int rank;                      // the rank that carries it out; the same on all ranks
  std::function<void()> action;  // called there alone
  /// Data of the ranks of this node for it (Gate::takes so much of all nodes): read on the first rank of the node, when
  /// all of them have come. The action finds it by Gate::sent_by.
  std::span<const std::byte> sent{};
};

}  // namespace sv
