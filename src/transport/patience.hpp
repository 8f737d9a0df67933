// How long a rank waits for others of its node before it gives them up. Gates, transfers and the ring of a node wait by
// it; it looks at a clock and at a count in shared memory, and communicates nothing.
#pragma once

#include <cstdint>

#include "transport/node.hpp"

namespace sv {

/// A deadline of the watchdog. Where ranks of the node have got on inside a call when it passes, it is set anew, by the
/// whole limit.
class Patience {
 public:
  Patience(const Node &node, const Deadline &first) : node_(&node), deadline_(first), seen_(node.progress().now()) {}
  explicit Patience(const Node &node) : Patience(node, Deadline(node.watchdog_seconds())) {}
  bool passed();
  /// As Node::wait. False when it has passed.
  bool wait(Counter &counter, uint32_t target);

 private:
  const Node *node_;
  Deadline deadline_;
  uint64_t seen_;
};

}  // namespace sv
