// Where the bytes come from that a transport carries, and where they go. Packers implement them; the transport calls
// them.
#pragma once

#include <span>

#include "packing/memory_view.hpp"

namespace sv {

/// Where a rank's bytes come from.
class Source {
 public:
  virtual ~Source() = default;
  /// Puts what this rank has of the slice into it, or into a message, at `to`. Called for each sink for which it has
  /// some, in their order; returns its bytes.
  virtual int64_t put(int sink, int round, Form form, std::byte *to) = 0;
  /// The slice itself, where this rank has all of it and it stands in memory as it would be put, until the rounds end:
  /// then it need not be put. Empty otherwise.
  virtual std::span<const std::byte> whole(int sink, int round) {
    static_cast<void>(sink);
    static_cast<void>(round);
    return {};
  }
};

/// Where a rank's bytes go.
class Target {
 public:
  virtual ~Target() = default;
  /// The way back.
  virtual void take(int sink, int round, Form form, const std::byte *from) = 0;
};

}  // namespace sv
