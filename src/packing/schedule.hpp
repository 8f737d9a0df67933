// The work of a transport: rounds in which every rank brings its bytes to slices, or takes them from there. A transport
// knows no more of a plan; the writer (or reader) of a slice is its sink.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sv {

class Schedule {
 public:
  virtual ~Schedule() = default;

  virtual int rounds() const = 0;
  virtual int sinks() const = 0;
  virtual int rank_of(int sink) const = 0;
  virtual std::vector<int> sinks_of_node(int node) const = 0;
  /// Whether no rank brings anything to a sink but its own.
  virtual bool is_at_home() const { return false; }
  /// Where its slice begins in a half of its node's window, in bytes. Slices of a node do not overlap in a round.
  virtual int64_t slice_begin(int sink, int round) const = 0;
  /// The bytes of memory that it needs.
  virtual int64_t slice_bytes(int sink, int round) const = 0;
  /// At least as many ranks' parts, or parts of one rank, as any byte of a slice is in.
  virtual int64_t depth() const { return 1; }
  /// Bytes of a rank's part of a slice in a round: its part of a message.
  virtual int64_t bytes_of(int rank, int sink, int round) const = 0;

  /// Whose part, of which slice, when.
  struct Part {
    int rank, sink, round;
  };
  /// From a rank's part of a message to its places in the slice, and back.
  virtual void spread(const Part &part, const std::byte *message, std::byte *slice) const = 0;
  virtual void gather(const Part &part, const std::byte *slice, std::byte *message) const = 0;

  /// Whether each rank has many short pieces of a slice, between those of others. Equal on all ranks.
  virtual bool is_scattered() const { return false; }

  /// Whether slices are filled before ranks bring their parts: cells without an owner get the fill value.
  virtual bool fills() const = 0;
  virtual void fill(int sink, int round, std::byte *slice) const = 0;
};

}  // namespace sv
