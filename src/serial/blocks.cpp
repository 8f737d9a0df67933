#include "serial/blocks.hpp"

namespace sv {

Blocks &Blocks::own() {
  static auto *const supply = new Blocks;
  return *supply;
}

Block Blocks::take() {
  {
    const std::scoped_lock lock(mutex_);
    if (!free_.empty()) {
      Block block = std::move(free_.back());
      free_.pop_back();
      return block;
    }
  }
  return std::make_unique_for_overwrite<std::byte[]>(static_cast<size_t>(block_bytes));
}

void Blocks::give_back(std::vector<Block> blocks) noexcept {
  const std::scoped_lock lock(mutex_);
  if (free_.capacity() < most_kept) free_.reserve(most_kept);
  for (Block &block : blocks)
    if (free_.size() < most_kept) free_.push_back(std::move(block));
}

}  // namespace sv
