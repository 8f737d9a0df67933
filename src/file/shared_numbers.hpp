// Numbers that the ranks of a node read: once for each node, in memory that its ranks share.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "file/context.hpp"

namespace sv {

struct SharedNumbers {
  std::span<const int64_t> numbers;
  std::shared_ptr<const void> owner;  // of their memory
};

/// Collective. Memory for `count` numbers, which is the same on all ranks of a node. `write` puts there what this rank
/// has of them; it knows where. `what` they are, for messages. Throws Error(no_memory) on every rank where a node has
/// no room for them.
SharedNumbers share_numbers(Context &context, const std::string &what, int64_t count,
                            const std::function<void(int64_t *)> &write);

/// Collective. Of numbers that are equal on all ranks of the context: one copy on each node, where that saves
/// something.
SharedNumbers keep_once(Context &context, const std::string &what, std::shared_ptr<const std::vector<int64_t>> numbers);

}  // namespace sv
