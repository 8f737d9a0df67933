// A server that receives, and a rank that writes behind its calls: blocks of a ring are filled, written by another
// thread, and released, in any order, while the ring's pages are still made. Built with the thread
// sanitizer, and without MPI.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <new>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/worker.hpp"
#include "transport/ring_mapping.hpp"
#include "transport/ring_pages.hpp"
#include "transport/ring_release.hpp"

namespace {

using namespace sv;

TEST(WrittenBeside, EveryBlockIsWrittenOnceAndItsMemoryUsedAgain) {
  constexpr int64_t capacity = 1 << 16, blocks = 600;
  std::vector<std::byte> memory(capacity);
  std::atomic<int64_t> freed{0};
  const Ring ring{memory.data(), capacity, &freed};
  EventCount bell{};
  RingRelease release(ring, bell);
  RingPlaces places(capacity);
  std::mt19937 random(1);
  int64_t sum = 0, right = 0;
  std::vector<int64_t> late;  // given back by this thread, out of order
  {
    Worker writer("writer", [&bell] { bell.ring(); });
    for (int64_t block = 0; block < blocks; ++block) {
      const int64_t bytes = std::uniform_int_distribution<int64_t>(1, capacity / 4)(random);
      const int64_t position = places.take(bytes), end = places.end();
      while (!ring.has_room(end)) {
        const uint32_t seen = bell.epoch.now();
        for (const int64_t each : late) release.done(each);
        late.clear();
        if (!ring.has_room(end)) sleep_until(bell.epoch, seen, 0, std::chrono::milliseconds(20));
      }
      std::byte *const values = ring.at(position);
      for (int64_t i = 0; i < bytes; i += 61) values[i] = static_cast<std::byte>(block);
      right += (bytes + 60) / 61 * (block % 256);
      const int64_t number = release.expect(end);
      ASSERT_LE(release.held_bytes(), capacity);
      if (block % 7 == 0) {  // thrown away, as a put into a failed file
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
    while (!writer.is_idle()) sleep_until(bell.epoch, bell.epoch.now(), 0, std::chrono::milliseconds(1));
    EXPECT_EQ(writer.done(), blocks - (blocks + 6) / 7);
  }
  for (const int64_t each : late) release.done(each);
  EXPECT_EQ(sum, right);
  EXPECT_EQ(release.held_bytes(), 0);
  EXPECT_EQ(freed.load(), places.end());
}

/// Waits as those do who fill a ring.
void await_room(const Ring &ring, EventCount &bell, int64_t end) {
  while (!ring.has_room(end)) {
    const uint32_t seen = bell.epoch.now();
    if (!ring.has_room(end)) sleep_until(bell.epoch, seen, 0, std::chrono::milliseconds(20));
  }
}

/// Three threads: pages are made, blocks are filled, blocks are written. Nothing is touched that was not made.
TEST(WrittenBeside, ARingIsUsedWhileItsPagesAreMade) {
  constexpr int64_t capacity = 32 << 20, block_bytes = 3 << 20, blocks = 40;
  std::vector<std::byte> memory(capacity);
  std::atomic<int64_t> freed{0}, made{0};
  const Ring ring{memory.data(), capacity, &freed};
  EventCount bell{};
  RingRelease release(ring, bell, 0);
  EXPECT_FALSE(ring.has_room(1));
  RingPages pages(
      [&](int64_t begin, int64_t end, std::string &) {
        EXPECT_EQ(begin, made.load());
        made = end;
        return true;
      },
      capacity, release);
  RingPlaces places(capacity);
  int64_t sum = 0, right = 0;
  {
    Worker writer("writer", [&bell] { bell.ring(); });
    for (int64_t block = 0; block < blocks; ++block) {
      if (block == 0) pages.begin();
      pages.begin();
      const int64_t position = places.take(block_bytes), end = places.end();
      const int64_t number = release.expect(end);
      await_room(ring, bell, end);
      ASSERT_LE(std::min(end, capacity), made.load());
      std::byte *const values = ring.at(position);
      for (int64_t i = 0; i < block_bytes; i += 4001) values[i] = static_cast<std::byte>(block);
      right += (block_bytes + 4000) / 4001 * block;
      if (block % 3 == 0) writer.hold_back(std::chrono::milliseconds(1));
      if (block % 6 == 0) writer.go();
      writer.post([&, values, number] {
        for (int64_t i = 0; i < block_bytes; i += 4001) sum += static_cast<int64_t>(values[i]);
        release.done(number);
      });
    }
  }
  EXPECT_EQ(sum, right);
  EXPECT_EQ(made.load(), capacity);
  EXPECT_EQ(freed.load(), places.end());
  EXPECT_EQ(pages.failed(), "");
}

TEST(WrittenBeside, MemoryThatThereIsNotIsToldToThoseWhoWait) {
  constexpr int64_t capacity = 32 << 20;
  std::vector<std::byte> memory(1);
  std::atomic<int64_t> freed{0};
  const Ring ring{memory.data(), capacity, &freed};
  EventCount bell{};
  RingRelease release(ring, bell, 0);
  RingPages pages(
      [&](int64_t, int64_t end, std::string &why) {
        if (end <= capacity / 2) return true;
        why = "there is none left";
        return false;
      },
      capacity, release);
  pages.begin();
  await_room(ring, bell, capacity / 2);
  while (pages.failed().empty()) sleep_until(bell.epoch, bell.epoch.now(), 0, std::chrono::milliseconds(20));
  EXPECT_EQ(pages.failed(), "there is none left");
  EXPECT_FALSE(ring.has_room(capacity / 2 + 1));
}

/// Those who fill a ring map its pages behind those who make them: all of them, once, and none that is not there yet.
TEST(WrittenBeside, PagesAreMappedOnceTheyAreThere) {
  constexpr int64_t capacity = 32 << 20;
  std::vector<std::byte> memory(1);
  std::atomic<int64_t> freed{0};
  const Ring ring{memory.data(), capacity, &freed};
  EventCount bell{};
  RingRelease release(ring, bell, 0);
  std::atomic<int64_t> made{0}, mapped{0};
  std::atomic<bool> is_right{true};
  const auto map = [&](const Ring &, int64_t begin, int64_t end) {
    if (begin != mapped || end > made) is_right = false;
    mapped = end;
  };
  RingMapping none, mapping;
  none.begin({}, map);
  mapping.begin({ring}, map);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(mapped, 0);
  {
    RingPages pages(
        [&](int64_t, int64_t end, std::string &) {
          made = end;
          return true;
        },
        capacity, release);
    pages.begin();
    while (mapped < capacity) sleep_until(bell.epoch, bell.epoch.now(), 0, std::chrono::milliseconds(1));
  }
  EXPECT_TRUE(is_right);
}

/// After the first failure nothing more is written, all memory is given back all the same, and the first is returned.
TEST(WrittenBeside, WhatTheThreadFailsWithIsNotedOnce) {
  constexpr int64_t capacity = 1 << 16, blocks = 200, block_bytes = 5000;
  std::vector<std::byte> memory(capacity);
  std::atomic<int64_t> freed{0};
  const Ring ring{memory.data(), capacity, &freed};
  EventCount bell{};
  RingRelease release(ring, bell);
  RingPlaces places(capacity);
  DeferredError note;
  int64_t written = 0, seen = 0;
  {
    Worker writer("writer", [&bell] { bell.ring(); });
    for (int64_t block = 0; block < blocks; ++block) {
      places.take(block_bytes);
      const int64_t end = places.end(), number = release.expect(end);
      await_room(ring, bell, end);
      if (note.error()) ++seen;
      writer.post([&, block, number] {
        if (!note.error() && ++written == 17) note.note(Error(Status::access, "the 17th", ""));
        if (block > 17) note.note(Error(Status::access, "a later one", ""));
        release.done(number);
      });
    }
  }
  EXPECT_EQ(written, 17);
  EXPECT_GT(seen, 0);
  ASSERT_TRUE(note.error());
  EXPECT_NE(std::string(note.error()->what()).find("the 17th"), std::string::npos);
  EXPECT_EQ(freed.load(), places.end());
}

TEST(WrittenBeside, ATaskThatIsHeldBackWaitsForItsTimeOrForTheWordToGo) {
  EventCount bell{};
  Worker writer("writer", [&bell] { bell.ring(); });
  std::atomic<bool> done{false};
  writer.hold_back(std::chrono::minutes(10));
  writer.post([&] { done = true; });
  EXPECT_FALSE(writer.wait(std::chrono::milliseconds(20)));
  EXPECT_FALSE(done);
  writer.go();
  while (!writer.wait(std::chrono::milliseconds(20))) continue;
  EXPECT_TRUE(done);
  writer.hold_back(std::chrono::milliseconds(10));
  const Moment begin = moment_now();
  writer.post([] {});
  while (!writer.wait(std::chrono::milliseconds(20))) continue;
  EXPECT_GE(moment_now() - begin, std::chrono::milliseconds(5));
}

TEST(WrittenBeside, WhatWaitsIsWrittenBeforeTheWriterEnds) {
  EventCount bell{};
  int64_t done = 0;
  {
    Worker writer("writer", [&bell] { bell.ring(); });
    for (int i = 0; i < 100; ++i) writer.post([&] { ++done; });
  }
  EXPECT_EQ(done, 100);
}

TEST(WrittenBeside, WhatATaskThrowsIsToldAndTheOthersAreCarriedOut) {
  EventCount bell{};
  Worker writer("writer", [&bell] { bell.ring(); });
  int64_t done = 0;
  writer.post([] { throw std::bad_alloc(); });
  writer.post([] { throw std::string("no exception of the library"); });
  writer.post([&] { ++done; });
  while (!writer.wait(std::chrono::milliseconds(100))) continue;
  EXPECT_EQ(done, 1);
  ASSERT_TRUE(writer.failure());
  EXPECT_EQ(writer.failure()->status(), Status::no_memory);
}

/// The end of a context does not wait until all of a large ring is mapped.
TEST(WrittenBeside, MappingEndsAfterAPiece) {
  constexpr int64_t capacity = int64_t{256} << 20;
  std::atomic<int64_t> freed{0}, mapped{0}, largest{0};  // all pages are there
  std::atomic<bool> begun{false};
  {
    RingMapping mapping;
    mapping.begin({Ring{nullptr, capacity, &freed}}, [&](const Ring &, int64_t begin, int64_t end) {
      mapped = end;
      largest = std::max<int64_t>(largest, end - begin);
      begun = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    });
    while (!begun) std::this_thread::yield();
  }
  EXPECT_LE(largest, capacity / 16);
  EXPECT_LT(mapped, capacity);
}

}  // namespace
