// Scattered writes are in the file as if each had been made, in fewer calls.
#include "store/scattered_writes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

namespace sv {
namespace {

using Bytes = std::vector<std::byte>;

struct Calls {
  int64_t reads, writes;
  bool operator==(const Calls &) const = default;
};

class Scattering : public ::testing::Test {
 protected:
  void SetUp() override {
    remove_file("scattered.bin");
    file_ = PositionalFile("scattered.bin", PositionalFile::Mode::make);
    wanted_.assign(20000, std::byte{255});
    file_.write(0, wanted_, counters_);
    counters_ = {};
    scattered_.fill_gaps(true);
  }
  void add(int64_t offset, size_t size) {
    const Bytes &values = kept_.emplace_back(size, static_cast<std::byte>(kept_.size() % 251 + 1));
    const size_t end = static_cast<size_t>(offset) + size;
    if (wanted_.size() < end) wanted_.resize(end);
    std::ranges::copy(values, wanted_.begin() + offset);
    scattered_.add(file_, offset, values, counters_);
  }
  /// Writes them; returns the calls since the beginning, and finds the data.
  Calls written() {
    scattered_.write(file_, counters_);
    const Calls calls{counters_.reads, counters_.writes};
    Bytes found(wanted_.size() + 1);
    EXPECT_EQ(file_.read(0, found, counters_), std::ssize(wanted_));
    found.pop_back();
    EXPECT_EQ(found, wanted_);
    return calls;
  }

  ScatteredWrites scattered_;
  PositionalFile file_;
  StoreCounters counters_;
  Bytes wanted_;
  std::deque<Bytes> kept_;
};

TEST_F(Scattering, ColumnsOfARowThatAreAllThereAreOneWrite) {
  for (int64_t column = 0; column < 25; ++column)
    for (int64_t row = 0; row < 100; ++row) add(row * 100 + column * 4, 4);
  EXPECT_EQ(written(), (Calls{0, 1}));
}

TEST_F(Scattering, NearColumnsAreReadAndWrittenTogether) {
  for (const int64_t column : {7, 3})
    for (int64_t row = 0; row < 100; ++row) add(row * 100 + column * 4, 4);
  EXPECT_EQ(written(), (Calls{1, 1}));
}

TEST_F(Scattering, GapsStayWhereOthersWrite) {
  scattered_.fill_gaps(false);
  for (int64_t row = 0; row < 10; ++row) add(row * 100, 4);
  EXPECT_EQ(written(), (Calls{0, 10}));
}

TEST_F(Scattering, GapsStayNextToLargeWritesAndWhereTheyAreLarge) {
  for (const int64_t at : {0, 5000, 10000}) add(at, 4096);
  for (const int64_t at : {15000, 19100}) add(at, 4);
  EXPECT_EQ(written(), (Calls{0, 5}));
}

TEST_F(Scattering, OfWritesThatOverlapTheLastOneCounts) {
  add(1000, 400), add(1200, 8), add(900, 150), add(1100, 200), add(1350, 100);
  EXPECT_EQ(written(), (Calls{0, 1}));
}

TEST_F(Scattering, GapsBehindTheEndAreZeros) {
  add(21000, 4), add(20500, 4), add(19990, 4);
  EXPECT_EQ(written().writes, 1);
}

TEST_F(Scattering, MuchIsWrittenAtOnce) {
  add(0, 4 << 20);
  add(5 << 20, 8);
  EXPECT_EQ(counters_.writes, 1);
  EXPECT_EQ(written(), (Calls{0, 2}));
}

}  // namespace
}  // namespace sv
