// The payloads of all ranks in a gate between nodes, in the shared memory of a node: its first rank writes it before
// the ranks of the node continue. Used by the gate alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "transport/parcels.hpp"

namespace sv {

class AllEnclosed {
 public:
  /// The largest payload of all ranks together, and the largest number of ranks: beyond these, payloads are not
  /// exchanged.
  static constexpr int64_t most_bytes = 64 << 10;
  static constexpr int most_ranks = 4096;
  /// Of memory, zeroed at first, for so many ranks.
  static int64_t bytes(int ranks);
  AllEnclosed(std::byte *memory, int ranks) : memory_(memory), ranks_(ranks) {}

  /// Of gate number `gate`, from 1 on.
  void set(uint32_t gate, const PackedPieces &enclosed);
  /// The payload of a rank in it.
  std::span<const std::byte> by(int rank, uint32_t gate) const;

 private:
  struct Place {
    int32_t begin, bytes;
  };
  uint32_t &gate() const { return *reinterpret_cast<uint32_t *>(memory_); }
  Place *places() const;
  std::byte *content() const { return reinterpret_cast<std::byte *>(places() + ranks_); }

  std::byte *memory_;
  int ranks_;
};

}  // namespace sv
