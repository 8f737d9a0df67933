#include "serial/blocks.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace sv {

namespace {

// Many blocks at once, in a huge page where the system has one: it comes with one fault.
constexpr int64_t page_bytes = 2 << 20, blocks_of_page = page_bytes / block_bytes;

}  // namespace

Blocks &Blocks::own() {
  static auto *const supply = new Blocks;
  return *supply;
}

Block Blocks::take() {
  const MutexLock lock(mutex_);
  if (free_.empty()) return made();
  Block block = std::move(free_.back());
  free_.pop_back();
  return block;
}

/// Programs that write little get blocks of their own; others whole pages, whose other blocks are free then.
Block Blocks::made() {
  if (single_ < blocks_of_page) {
    ++single_;
    return std::make_shared_for_overwrite<std::byte[]>(static_cast<size_t>(block_bytes));
  }
  auto *const begin = static_cast<std::byte *>(std::aligned_alloc(page_bytes, page_bytes));
  if (begin == nullptr) throw std::bad_alloc();
  const std::shared_ptr<std::byte[]> page(begin, std::free);
  madvise(begin, page_bytes, MADV_HUGEPAGE);  // without it, it is memory all the same
  for (int64_t i = blocks_of_page - 1; i > 0; --i) free_.emplace_back(page, begin + i * block_bytes);
  return {page, begin};
}

void Blocks::give_back(std::vector<Block> blocks) noexcept {
  const MutexLock lock(mutex_);
  if (free_.capacity() < most_kept) free_.reserve(most_kept);
  for (Block &block : blocks)
    if (free_.size() < most_kept) free_.push_back(std::move(block));
}

}  // namespace sv
