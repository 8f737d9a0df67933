// Gathered data are in the file as if they had been one stretch of memory.
#include "store/gather.hpp"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>

namespace {

size_t most_bytes = SIZE_MAX;  // that a call to pwritev takes

}  // namespace

/// In place of the system's, which may take less than it is given.
extern "C" ssize_t pwritev(int file, const iovec *parts, int n, off_t offset) {
  std::vector<iovec> taken;
  size_t left = most_bytes;
  for (int i = 0; i < n && left > 0; left -= taken.back().iov_len, ++i)
    taken.push_back({parts[i].iov_base, std::min(parts[i].iov_len, left)});
  return syscall(SYS_pwritev, file, taken.data(), taken.size(), offset, 0);
}

namespace sv {
namespace {

using Bytes = std::vector<std::byte>;

class Gathering : public ::testing::Test {
 protected:
  /// Writes places of these sizes, each behind so much padding, from byte 5 of a file on, and expects to find them.
  void expect(const std::vector<std::pair<int64_t, size_t>> &places, int64_t writes) {
    std::vector<Bytes> values;
    Bytes wanted(5, std::byte{7});
    for (const auto &[padding, size] : places) {
      values.emplace_back(size, static_cast<std::byte>(values.size() % 251 + 1));
      wanted.resize(wanted.size() + static_cast<size_t>(padding));
      wanted.insert(wanted.end(), values.back().begin(), values.back().end());
      gather_.add(padding, values.back());
    }
    remove_file("gathered.bin");
    PositionalFile file("gathered.bin", PositionalFile::Mode::make);
    file.write(0, Bytes(wanted.size(), std::byte{7}), counters_);
    const StoreCounters before = counters_;
    gather_.write(file, 5, counters_);
    EXPECT_TRUE(gather_.is_empty());
    EXPECT_EQ(counters_.writes - before.writes, writes);
    EXPECT_EQ(counters_.written_bytes - before.written_bytes, static_cast<int64_t>(wanted.size()) - 5);
    Bytes found(wanted.size() + 1);
    EXPECT_EQ(file.read(0, found, counters_), static_cast<int64_t>(wanted.size()));
    found.pop_back();
    EXPECT_EQ(found, wanted);
  }

  Gather gather_;
  StoreCounters counters_;
};

TEST_F(Gathering, LargeAndSmallPlacesWithPaddingAreOneWrite) {
  expect({{0, 10}, {2, 5000}, {0, 4096}, {3, 1}, {3, 4095}, {100, 7}, {0, 0}, {0, 20000}}, 1);
  expect({{0, 1}}, 1);
  expect({{0, 9000}}, 1);
}

TEST_F(Gathering, ThousandsOfSmallPlacesAreOneWrite) {
  expect(std::vector<std::pair<int64_t, size_t>>(20'000, {3, 13}), 1);
}

TEST_F(Gathering, MoreLargePlacesThanTheSystemTakesAreAFewWrites) {
  expect(std::vector<std::pair<int64_t, size_t>>(2 * IOV_MAX + 1, {0, 4097}), 3);
}

TEST_F(Gathering, WhatTheSystemTakesOnlyInPartIsContinued) {
  most_bytes = 5000;  // ends within a place, at its end, and within the next
  expect({{0, 4500}, {0, 5500}, {2, 9000}, {0, 4998}}, 5);
  most_bytes = SIZE_MAX;
}

TEST_F(Gathering, WhatStandsTogetherInMemoryIsNotCopied) {
  Bytes values(6000, std::byte{3});
  const Bytes elsewhere(1, std::byte{4});
  for (size_t at = 0; at < values.size(); at += 100) gather_.add(0, std::span(values).subspan(at, 100));
  gather_.add(0, elsewhere);
  values[250] = std::byte{5};
  remove_file("together.bin");
  PositionalFile file("together.bin", PositionalFile::Mode::make);
  gather_.write(file, 0, counters_);
  EXPECT_EQ(counters_.writes, 1);
  Bytes found(6001);
  EXPECT_EQ(file.read(0, found, counters_), 6001);
  EXPECT_EQ(found[250], std::byte{5});
  EXPECT_EQ(found[6000], std::byte{4});
}

TEST_F(Gathering, AfterAFailureItIsEmpty) {
  remove_file("failed.bin");
  PositionalFile file("failed.bin", PositionalFile::Mode::make);
  file.close();
  const Bytes values(10);
  gather_.add(0, values);
  EXPECT_ANY_THROW(gather_.write(file, 0, counters_));
  EXPECT_TRUE(gather_.is_empty());
  expect({{0, 20}}, 1);
}

}  // namespace
}  // namespace sv
