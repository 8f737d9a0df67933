// What a server does while it receives: blocks of its ring are filled, written by the thread beside, and given back, in
// whatever order. Built with the thread sanitizer, and without MPI.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "rounds/writer.hpp"
#include "transport/ring_release.hpp"

namespace {

using namespace sv;

TEST(WrittenBeside, EveryBlockIsWrittenOnceAndItsMemoryUsedAgain) {
  constexpr int64_t capacity = 1 << 16, blocks = 600;
  std::vector<std::byte> memory(capacity);
  std::atomic<int64_t> freed{0};
  const Ring ring{memory.data(), capacity, &freed};
  Bell bell{};
  RingRelease release(ring, bell);
  RingPlaces places(capacity);
  std::mt19937 random(1);
  int64_t sum = 0, right = 0;
  std::vector<int64_t> late;  // given back by this thread, out of order
  {
    Writer writer(bell);
    for (int64_t block = 0; block < blocks; ++block) {
      const int64_t bytes = std::uniform_int_distribution<int64_t>(1, capacity / 4)(random);
      const int64_t position = places.take(bytes), end = places.end();
      while (!ring.has_room(end)) {
        const uint32_t seen = bell.strokes.load(std::memory_order_acquire);
        for (const int64_t each : late) release.done(each);
        late.clear();
        if (!ring.has_room(end)) sleep_until(bell.strokes, seen, 0, 20);
      }
      std::byte *const values = ring.at(position);
      for (int64_t i = 0; i < bytes; i += 61) values[i] = static_cast<std::byte>(block);
      right += (bytes + 60) / 61 * (block % 256);
      const int64_t number = release.expect(end);
      ASSERT_LE(release.held_bytes(), capacity);
      if (block % 7 == 0) {  // thrown away, as what is put into a file that has failed
        right -= (bytes + 60) / 61 * (block % 256);
        late.push_back(number);
        continue;
      }
      writer.post([&, values, bytes, number] {
        for (int64_t i = 0; i < bytes; i += 61) sum += static_cast<int64_t>(values[i]);
        release.done(number);
      });
      ASSERT_GE(writer.busy_seconds(), 0);
    }
    while (!writer.is_idle()) sleep_until(bell.strokes, bell.strokes.load(), 0, 1);
    EXPECT_EQ(writer.done(), blocks - (blocks + 6) / 7);
  }
  for (const int64_t each : late) release.done(each);
  EXPECT_EQ(sum, right);
  EXPECT_EQ(release.held_bytes(), 0);
  EXPECT_EQ(freed.load(), places.end());
}

TEST(WrittenBeside, WhatWaitsIsWrittenBeforeTheWriterEnds) {
  Bell bell{};
  int64_t done = 0;
  {
    Writer writer(bell);
    for (int i = 0; i < 100; ++i) writer.post([&] { ++done; });
  }
  EXPECT_EQ(done, 100);
}

}  // namespace
