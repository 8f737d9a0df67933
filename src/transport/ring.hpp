// A ring: memory through which blocks pass in order, from those who fill them to the one who empties them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace sv {

/// The positions of blocks in a ring. Positions only grow; a block never wraps, so that the rest of a lap may be left
/// out: only blocks of at most half of the ring are sure to find room when all before them are freed. Ranks that take
/// the same blocks in the same order compute the same positions without communication.
class RingPlaces {
 public:
  explicit RingPlaces(int64_t capacity_bytes) : capacity_(capacity_bytes) {}

  /// The position of the next block. Blocks begin at multiples of a cache line.
  int64_t take(int64_t bytes) {
    constexpr int64_t line = 64;
    const int64_t length = (bytes + line - 1) / line * line;
    if (end_ % capacity_ + length > capacity_) end_ += capacity_ - end_ % capacity_;
    const int64_t at = end_;
    end_ += length;
    return at;
  }
  /// Behind the last block.
  int64_t end() const { return end_; }

 private:
  int64_t capacity_;
  int64_t end_ = 0;
};

/// A ring in memory that the ranks of a node share. Borrowed.
struct Ring {
  std::byte *data = nullptr;
  int64_t capacity = 0;
  std::atomic<int64_t> *freed = nullptr;  // positions before it are free again

  std::byte *at(int64_t position) const { return data + position % capacity; }
  /// Whether the blocks up to `end` have room.
  bool has_room(int64_t end) const { return end - freed->load(std::memory_order_acquire) <= capacity; }
};

}  // namespace sv
