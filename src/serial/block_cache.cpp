#include "serial/block_cache.hpp"

#include <algorithm>
#include <cstring>

namespace sv {

const BlockCache::Held &BlockCache::held(PositionalFile &file, int64_t number) {
  Held &block = blocks_[static_cast<size_t>(number) % blocks_.size()];
  if (block.number == number) return block;
  block.number = -1;
  block.bytes.resize(static_cast<size_t>(block_bytes));
  const int64_t got = file.read(number * block_bytes, block.bytes, counters_);
  std::memset(block.bytes.data() + got, 0, static_cast<size_t>(block_bytes - got));
  block.number = number;
  return block;
}

void BlockCache::read(PositionalFile &file, int64_t offset_bytes, std::span<std::byte> bytes) {
  if (std::ssize(bytes) >= block_bytes) {
    const int64_t got = file.read(offset_bytes, bytes, counters_);
    std::memset(bytes.data() + got, 0, bytes.size() - static_cast<size_t>(got));
    return;
  }
  while (!bytes.empty()) {
    const int64_t number = offset_bytes / block_bytes, at = offset_bytes % block_bytes;
    const auto part = static_cast<size_t>(std::min<int64_t>(std::ssize(bytes), block_bytes - at));
    std::memcpy(bytes.data(), held(file, number).bytes.data() + at, part);
    offset_bytes += static_cast<int64_t>(part);
    bytes = bytes.subspan(part);
  }
}

}  // namespace sv
