// What one rank does in a gate.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace sv {

/// What one rank does when all have come and agree, before any of them goes on: so one meeting does for what would need
/// one before it and one behind it.
struct RootAction {
  int rank;                      // who does it; the same on all ranks
  std::function<void()> action;  // called there alone
  /// What the ranks of this node send it (Gate::takes so much of all nodes): looked at on the first rank of the node,
  /// when all of them have come. The action finds it by Gate::sent_by.
  std::span<const std::byte> sent{};
};

}  // namespace sv
