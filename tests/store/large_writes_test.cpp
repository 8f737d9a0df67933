// Large stretches that are written in pieces, several at a time and past the page cache, are in the file as if they had
// been written at once; the error of a piece is the error of the write.
#include "store/large_writes.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>

#include "store/positional_file.hpp"
#include "store/written_ranges.hpp"

namespace {

struct Call {
  bool direct;
  uintptr_t memory;
  size_t bytes;
  off_t offset;
};

struct System {
  std::mutex mutex;
  bool watches = false;
  size_t most_bytes = SIZE_MAX;        // that a call takes
  int interruptions = 0;               // so many calls end so
  int direct_error = 0;                // of calls past the cache
  std::map<off_t, int> errors;         // of calls that reach this byte
  std::chrono::milliseconds delay{0};  // of the writes that reach byte 0
  std::vector<Call> calls;
} watched;

/// What becomes of the call: an error number, or how many bytes it may take.
std::pair<int, size_t> judge(const Call &call) {
  const std::lock_guard lock(watched.mutex);
  watched.calls.push_back(call);
  if (watched.interruptions > 0) {
    --watched.interruptions;
    return {EINTR, 0};
  }
  if (call.direct && watched.direct_error != 0) return {watched.direct_error, 0};
  for (const auto &[at, error] : watched.errors)
    if (call.offset <= at && at < call.offset + static_cast<off_t>(call.bytes)) return {error, 0};
  return {0, std::min(call.bytes, watched.most_bytes)};
}

}  // namespace

/// In place of the system's.
extern "C" ssize_t pwrite(int file, const void *memory, size_t bytes, off_t offset) {
  if (!watched.watches) return syscall(SYS_pwrite64, file, memory, bytes, offset);
  const bool direct = (fcntl(file, F_GETFL) & O_DIRECT) != 0;
  const auto [error, most] = judge({direct, reinterpret_cast<uintptr_t>(memory), bytes, offset});
  if (error != 0) {
    errno = error;
    return -1;
  }
  if (offset == 0) std::this_thread::sleep_for(watched.delay);
  return syscall(SYS_pwrite64, file, memory, most, offset);
}

namespace sv {
namespace {

constexpr int64_t page = 4096;

using Bytes = std::vector<std::byte>;

class LargeWriting : public ::testing::TestWithParam<std::pair<int, bool>> {
 protected:
  LargeWriting() : policy_{GetParam().first, GetParam().second, page, std::make_shared<IoThreads>()} {
    for (size_t i = 0; i < room; ++i) memory_[i] = static_cast<std::byte>(i % 251);  // no period of a page
    begin();
  }
  ~LargeWriting() override {
    watched.watches = false;
    ::operator delete (memory_, std::align_val_t{page});
  }

  /// An empty file, and a system that does what it is asked.
  void begin() {
    watched.watches = false;
    counters_ = {};
    remove_file("large.bin");
    file_ = PositionalFile("large.bin", PositionalFile::Mode::make);
    file_.write(0, Bytes(room, std::byte{7}), counters_);
    file_.write_by(policy_);
    counters_ = {};
    watched.calls.clear();
    watched.errors.clear();
    watched.most_bytes = SIZE_MAX;
    watched.interruptions = watched.direct_error = 0;
    watched.delay = {};
    watched.watches = true;
  }
  Bytes found() {
    Bytes all(room + 1);
    StoreCounters counters;
    EXPECT_EQ(file_.read(0, all, counters), static_cast<int64_t>(room));
    all.pop_back();
    return all;
  }
  std::span<const std::byte> values(size_t from, size_t bytes) const { return {memory_ + from, bytes}; }
  /// The file holds these bytes of memory from `offset` on, and 7 elsewhere.
  void expect(int64_t offset, std::span<const std::byte> values) {
    Bytes wanted(room, std::byte{7});
    std::copy(values.begin(), values.end(), wanted.begin() + offset);
    EXPECT_TRUE(found() == wanted) << "offset " << offset << ", " << values.size() << " bytes";
    EXPECT_EQ(counters_.written_bytes, std::ssize(values));
  }
  bool has_direct() {
    const int descriptor = ::open("large.bin", O_WRONLY | O_DIRECT);
    if (descriptor >= 0) ::close(descriptor);
    return descriptor >= 0;
  }

  static constexpr size_t room = 64 * page;
  std::byte *memory_ = static_cast<std::byte *>(::operator new (room, std::align_val_t{page}));
  WritePolicy policy_;
  PositionalFile file_;
  StoreCounters counters_;
};

TEST_P(LargeWriting, EveryByteIsRightAtAnyEdge) {
  for (const size_t from : {0, 1, 8, 4095})
    for (const int64_t offset : {int64_t{0}, int64_t{1}, page - 1, page, page + 8, 3 * page + 4})
      for (const int64_t bytes : {page - 1, page, page + 1, 2 * page - 1, 3 * page, 9 * page + 5, 40 * page}) {
        begin();
        WrittenRanges ranges;
        counters_.ranges = &ranges;
        file_.write(offset, values(from, static_cast<size_t>(bytes)), counters_);
        expect(offset, values(from, static_cast<size_t>(bytes)));
        EXPECT_EQ(ranges.ends(), (std::map<int64_t, int64_t>{{offset, offset + bytes}}));
        const int64_t pages = (offset + bytes) / page - (offset + page - 1) / page;
        if (policy_.direct && has_direct() && bytes >= page) {
          EXPECT_EQ(counters_.direct_bytes, std::max<int64_t>(pages, 0) * page);
        }
      }
}

TEST_P(LargeWriting, GathersPlacesOfMemory) {
  begin();
  std::vector<iovec> parts;
  for (const auto &[from, bytes] : std::vector<std::pair<size_t, size_t>>{{5, 3}, {100, 5000}, {0, 0}, {8192, 40960}})
    parts.push_back({memory_ + from, bytes});
  Bytes wanted;
  for (const iovec &part : parts)
    wanted.insert(wanted.end(), static_cast<std::byte *>(part.iov_base),
                  static_cast<std::byte *>(part.iov_base) + part.iov_len);
  file_.write(2 * page - 3, std::span(parts), counters_);
  expect(2 * page - 3, wanted);
}

TEST_P(LargeWriting, PastTheCacheGoWholePagesAlone) {
  file_.write(page + 8, values(3, 20 * page), counters_);
  for (const Call &call : watched.calls) {
    if (!call.direct) continue;
    EXPECT_EQ(call.memory % page, 0U);
    EXPECT_EQ(call.bytes % page, 0U);
    EXPECT_EQ(call.offset % page, 0);
  }
  const bool any =
      std::any_of(watched.calls.begin(), watched.calls.end(), [](const Call &call) { return call.direct; });
  EXPECT_EQ(any, policy_.direct && has_direct());
}

TEST_P(LargeWriting, PiecesEndWhereStripesDo) {
  policy_.piece_bytes = 4 * page;
  begin();
  file_.write(page, values(0, 40 * page), counters_);
  int64_t whole = 0;
  for (const Call &call : watched.calls) {
    const int64_t end = call.offset + static_cast<int64_t>(call.bytes);
    EXPECT_TRUE(end % policy_.piece_bytes == 0 || end == 41 * page) << end;
    whole += static_cast<int64_t>(call.bytes);
  }
  EXPECT_EQ(whole, 40 * page);
  EXPECT_LE(std::ssize(watched.calls), policy_.depth);
}

TEST_P(LargeWriting, WhatIsDoneInPartIsContinued) {
  for (const size_t most : {size_t{1000}, size_t{page}, size_t{3 * page + 512}}) {
    begin();
    watched.most_bytes = most;
    watched.interruptions = 5;
    file_.write(17, values(8, 30 * page), counters_);
    expect(17, values(8, 30 * page));
  }
}

TEST_P(LargeWriting, TheFirstErrorInTheOrderOfTheFileIsTold) {
  for (const auto &[error, status] : {std::pair{ENOSPC, Status::no_space}, std::pair{EIO, Status::io}}) {
    begin();
    watched.delay = std::chrono::milliseconds(5);
    watched.errors = {{2 * page, error}};
    try {
      file_.write(0, values(0, 32 * page), counters_);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error &reported) {
      EXPECT_EQ(reported.status(), status);
      EXPECT_EQ(std::string(reported.what()), system_error(error, "writing failed", "large.bin").what());
    }
    EXPECT_LT(counters_.written_bytes, 32 * page);
    watched.errors.clear();
    counters_ = {};
    file_.write(0, values(0, 32 * page), counters_);
    expect(0, values(0, 32 * page));
  }
}

TEST_P(LargeWriting, WhatIsRefusedGoesThroughTheCache) {
  watched.direct_error = EINVAL;
  file_.write(3, values(0, 32 * page), counters_);
  expect(3, values(0, 32 * page));
  EXPECT_EQ(counters_.direct_bytes, 0);
  EXPECT_EQ(counters_.direct_refused, policy_.direct);
  watched.calls.clear();
  file_.write(page, values(0, 32 * page), counters_);
  for (const Call &call : watched.calls) EXPECT_FALSE(call.direct);
}

TEST_P(LargeWriting, BothSidesOfTheCacheAreOneFile) {
  for (int round = 0; round < 4; ++round) {
    counters_ = {};
    const auto shift = static_cast<size_t>(round * 11);
    file_.write(5, values(shift, 30 * page), counters_);
    file_.write(5 + page, values(7 + shift, 100),
                counters_);  // through the cache, into a page that was written past it
    Bytes all = found();
    EXPECT_TRUE(std::equal(all.begin() + 5 + page, all.begin() + 105 + page, memory_ + 7 + shift));
    EXPECT_TRUE(std::equal(all.begin() + 105 + page, all.begin() + 5 + 30 * page, memory_ + shift + page + 100));
  }
  file_.sync();
  file_.close();
}

INSTANTIATE_TEST_SUITE_P(Ways, LargeWriting,
                         ::testing::Values(std::pair{4, false}, std::pair{1, true}, std::pair{4, true}),
                         [](const auto &way) {
                           return "depth" + std::to_string(way.param.first) + (way.param.second ? "direct" : "");
                         });

TEST(LanesOfAContext, CarryOutEachPieceOnceAndNeverMoreThanAsked) {
  IoThreads lanes;
  for (int task = 0; task < 200; ++task) {
    std::atomic<int> now = 0, most = 0;
    std::vector<std::atomic<int>> done(17);
    lanes.run(3, static_cast<int>(done.size()), [&](int i) {
      const int here = ++now;
      for (int seen = most; seen < here && !most.compare_exchange_weak(seen, here);) continue;
      ++done[static_cast<size_t>(i)];
      --now;
    });
    for (const auto &times : done) ASSERT_EQ(times, 1);
    ASSERT_LE(most, 3);
  }
  EXPECT_EQ(lanes.threads(), 2);
}

TEST(LanesOfAContext, HaveNoThreadForOnePieceAtATime) {
  IoThreads lanes;
  int sum = 0;
  lanes.run(1, 5, [&](int i) { sum += i; });
  lanes.run(8, 1, [&](int i) { sum += i; });
  EXPECT_EQ(sum, 10);
  EXPECT_EQ(lanes.threads(), 0);
}

TEST(LanesOfAContext, ServeSeveralThreads) {
  IoThreads lanes;
  std::atomic<int> sum = 0;
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&] {
      for (int task = 0; task < 100; ++task) lanes.run(4, 8, [&](int i) { sum += i; });
    });
  for (std::thread &each : callers) each.join();
  EXPECT_EQ(sum, 4 * 100 * 28);
}

}  // namespace
}  // namespace sv
