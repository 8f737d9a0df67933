// The blocks of a file that were read last, so that values which are read one by one cost no system call each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "store/positional_file.hpp"

namespace sv {

class BlockCache {
 public:
  /// Bytes beyond the end of the file are 0.
  void read(PositionalFile &file, int64_t offset_bytes, std::span<std::byte> bytes);
  /// Its contents may have been written since.
  void forget() {
    for (Held &block : blocks_) block.number = -1;
  }

 private:
  static constexpr int64_t block_bytes = 32 << 10;
  struct Held {
    int64_t number = -1;
    std::vector<std::byte> bytes;
  };
  const Held &held(PositionalFile &file, int64_t number);
  std::array<Held, 16> blocks_;
  StoreCounters counters_;
};

}  // namespace sv
