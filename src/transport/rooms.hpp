// Where the slices of a schedule stand, where that is not the node's window: an Exchange asks for it round by round, on
// all ranks of the node alike.
#pragma once

#include <cstddef>

namespace sv {

class Rooms {
 public:
  virtual ~Rooms() = default;
  /// Where the slices of this node begin in a round.
  virtual std::byte *begin(int round) const = 0;
  /// On ranks that own sinks: returns when that memory is free to be filled.
  virtual void await(int round) = 0;
};

}  // namespace sv
