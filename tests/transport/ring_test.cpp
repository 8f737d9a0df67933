// The places of blocks in a ring, against a model of its bytes: a block in use has one owner.
#include "transport/ring.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <vector>

namespace {

using sv::Ring;
using sv::RingPlaces;

TEST(RingPlaces, BlocksBeginAtCacheLinesAndDoNotWrap) {
  RingPlaces places(4096);
  EXPECT_EQ(places.take(1), 0);
  EXPECT_EQ(places.take(64), 64);
  EXPECT_EQ(places.take(65), 128);
  EXPECT_EQ(places.end(), 256);
  EXPECT_EQ(places.take(3840), 256);
  EXPECT_EQ(places.take(4000), 4096);
  EXPECT_EQ(places.take(100), 8192) << "the rest of a lap is left out";
}

struct Block {
  int64_t position, bytes, end;
};

/// Takes and frees at random, in the order of the ring; marks the bytes in use.
void try_ring(unsigned seed) {
  std::mt19937 random(seed);
  const auto between = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  const int64_t capacity = 4096 * between(1, 5);
  std::vector<std::byte> memory(static_cast<size_t>(capacity));
  std::atomic<int64_t> freed{0};
  const Ring ring{memory.data(), capacity, &freed};
  RingPlaces places(capacity), others(capacity);
  std::vector<bool> used(memory.size(), false);
  std::deque<Block> blocks;
  const auto mark = [&](const Block &block, bool use) {
    const auto begin = ring.at(block.position) - memory.data();
    ASSERT_LE(begin + block.bytes, capacity) << "a block leaves the ring";
    for (int64_t i = 0; i < block.bytes; ++i) {
      ASSERT_NE(used[static_cast<size_t>(begin + i)], use) << "two blocks share a byte, seed " << seed;
      used[static_cast<size_t>(begin + i)] = use;
    }
  };
  const auto free_first = [&] {
    mark(blocks.front(), false);
    freed = blocks.front().end;
    blocks.pop_front();
  };
  for (int step = 0; step < 400; ++step) {
    const int64_t bytes = between(1, between(1, 4) == 1 ? capacity / 2 : capacity / 8);
    const int64_t position = places.take(bytes);
    ASSERT_EQ(position, others.take(bytes)) << "who takes the same blocks agrees about their places";
    const Block next{position, bytes, places.end()};
    while (!ring.has_room(next.end)) {
      ASSERT_FALSE(blocks.empty()) << "an empty ring has no room for " << bytes << " of " << capacity << " bytes, seed "
                                   << seed;
      free_first();
    }
    mark(next, true);
    blocks.push_back(next);
    while (!blocks.empty() && between(1, 3) == 1) free_first();
  }
}

TEST(RingPlaces, BlocksInUseNeverOverlap) {
  for (unsigned seed = 1; seed <= 60; ++seed) try_ring(seed);
}

}  // namespace
