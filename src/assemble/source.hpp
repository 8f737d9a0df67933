// Where the bytes come from that a transport carries, and where they go. Packers implement them; the transport calls
// them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sv {

/// Where a rank's bytes come from. Called for each sink for which it has some, in their order; returns their number.
class Source {
 public:
  virtual ~Source() = default;
  /// Puts what this rank has of the slice at its places there.
  virtual int64_t place(int sink, int round, std::byte *slice) = 0;
  /// Puts it at `message`, one row after the other.
  virtual int64_t write_message(int sink, int round, std::byte *message) = 0;
};

/// Where a rank's bytes go. Called for each sink for which it has some, in their order.
class Target {
 public:
  virtual ~Target() = default;
  /// Takes what this rank has of the slice out of it.
  virtual void take(int sink, int round, const std::byte *slice) = 0;
  /// Takes it from `message`, where it lies one row after the other.
  virtual void read_message(int sink, int round, const std::byte *message) = 0;
};

}  // namespace sv
