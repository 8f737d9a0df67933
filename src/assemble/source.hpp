// Where the bytes come from that a transport carries, and where they go. Packers implement them; the transport calls
// them.
#pragma once

#include "assemble/memory_view.hpp"

namespace sv {

/// Where a rank's bytes come from.
class Source {
 public:
  virtual ~Source() = default;
  /// Puts what this rank has of the slice into it, or into a message, at `to`. Called for each sink for which it has
  /// some, in their order; returns its bytes.
  virtual int64_t put(int sink, int round, Form form, std::byte *to) = 0;
};

/// Where a rank's bytes go.
class Target {
 public:
  virtual ~Target() = default;
  /// The way back.
  virtual void take(int sink, int round, Form form, const std::byte *from) = 0;
};

}  // namespace sv
