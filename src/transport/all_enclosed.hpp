// What all ranks have enclosed in a gate between nodes, in the shared memory of a node: its first rank writes it before
// the ranks of the node go on. Used by the gate alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "transport/parcels.hpp"

namespace sv {

class AllEnclosed {
 public:
  /// What all ranks together may enclose, and how many they may be: where they are more, nothing is told.
  static constexpr int64_t most_bytes = 64 << 10;
  static constexpr int most_ranks = 4096;
  /// Of memory, zeroed at first, for so many ranks.
  static int64_t bytes(int ranks);
  AllEnclosed(std::byte *memory, int ranks) : memory_(memory), ranks_(ranks) {}

  /// Of gate number `gate`, from 1 on.
  void set(uint32_t gate, const PackedPieces &enclosed);
  /// What a rank has enclosed in it.
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
