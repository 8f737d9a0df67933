// Where the slices of a schedule stand, where that is not the node's window: an Exchange asks for it round by round, on
// all ranks of the node alike.
#pragma once

#include <cstddef>

namespace sv {

class SliceMemory {
 public:
  virtual ~SliceMemory() = default;
  /// Where the slices of this node begin in a round.
  virtual std::byte *begin(int round) const = 0;
  /// Whether what a slice gets stands there part by part, as ranks have brought it: first those of this node, then
  /// those of the others, node by node. Otherwise in the order of the slice.
  virtual bool in_parts() const = 0;
  /// On ranks that own sinks: returns when that memory is free to be filled.
  virtual void await(int round) = 0;
};

}  // namespace sv
