#include "store/written_ranges.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace sv {
namespace {

using Ends = std::map<int64_t, int64_t>;

TEST(WrittenRanges, JoinsWhatTouches) {
  WrittenRanges ranges;
  ranges.add(10, 5);
  ranges.add(20, 5);
  EXPECT_EQ(ranges.ends(), (Ends{{10, 15}, {20, 25}}));
  ranges.add(15, 5);
  EXPECT_EQ(ranges.ends(), (Ends{{10, 25}}));
  ranges.add(12, 3);
  ranges.add(0, 0);
  EXPECT_EQ(ranges.ends(), (Ends{{10, 25}}));
  EXPECT_FALSE(ranges.truncated());
}

TEST(WrittenRanges, EndsAtTheLimit) {
  WrittenRanges ranges(100);
  ranges.add(90, 20);
  ranges.add(100, 20);
  EXPECT_EQ(ranges.ends(), (Ends{{90, 100}}));
}

TEST(WrittenRanges, SaysWhenThereAreTooMany) {
  WrittenRanges ranges;
  for (size_t i = 0; i < WrittenRanges::most; ++i) ranges.add(static_cast<int64_t>(3 * i), 1);
  EXPECT_FALSE(ranges.truncated());
  ranges.add(3 * WrittenRanges::most, 1);
  EXPECT_TRUE(ranges.truncated());
  EXPECT_EQ(ranges.ends().size(), WrittenRanges::most);
}

TEST(WrittenRanges, AreTheBytesThatWereWritten) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    constexpr int64_t size = 60;
    std::vector<bool> wanted(size, false), found(size, false);
    WrittenRanges ranges(size);
    for (int i = 0; i < 12; ++i) {
      const int64_t begin = random() % size, bytes = random() % 12;
      ranges.add(begin, bytes);
      for (int64_t at = begin; at < std::min(begin + bytes, size); ++at) wanted[static_cast<size_t>(at)] = true;
    }
    int64_t before = -1;
    for (const auto &[begin, end] : ranges.ends()) {
      EXPECT_LT(before, begin);  // not even touching
      before = end;
      for (int64_t at = begin; at < end; ++at) found[static_cast<size_t>(at)] = true;
    }
    EXPECT_EQ(found, wanted);
  }
}

}  // namespace
}  // namespace sv
