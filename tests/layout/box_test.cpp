#include <gtest/gtest.h>

#include <random>

#include "layout/box.hpp"

namespace sv {
namespace {

struct Pair {
  Box part, whole;
};

/// A random box of 0 to 4 dimensions and a part of it, perhaps empty.
Pair random_pair(std::mt19937 &engine) {
  const auto roll = [&engine](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(engine);
  };
  Pair pair;
  for (int64_t d = roll(0, 4); d > 0; --d) {
    const int64_t start = roll(0, 3), count = roll(1, 5), low = roll(0, count), high = roll(0, count);
    pair.whole.start.push(start);
    pair.whole.count.push(count);
    pair.part.start.push(start + std::min(low, high));
    pair.part.count.push(std::max(low, high) - std::min(low, high));
  }
  return pair;
}

bool contains(const Box &box, const Index &cell) {
  for (int d = 0; d < box.dims(); ++d) {
    if (cell[d] < box.start[d] || cell[d] >= box.start[d] + box.count[d]) return false;
  }
  return true;
}

TEST(Box, PositionAndCellAreInverse) {
  const Box box{{2, 0, 5}, {3, 4, 2}};
  for (int64_t at = 0; at < box.elements(); ++at) EXPECT_EQ(position(box, cell_at(box, at)), at);
  EXPECT_EQ(position(box, {2, 1, 6}), 3);
}

TEST(Box, IntersectionIsEmptyWhereBoxesDoNotMeet) {
  EXPECT_TRUE(intersect({{0, 0}, {2, 2}}, {{2, 0}, {2, 2}}).empty());
  EXPECT_EQ(intersect({{0, 0}, {3, 4}}, {{1, 2}, {5, 1}}), (Box{{1, 2}, {2, 1}}));
}

TEST(Box, CountBeforeAgreesWithCounting) {
  std::mt19937 engine(1);
  for (int i = 0; i < 500; ++i) {
    const Pair pair = random_pair(engine);
    int64_t counted = 0;
    for (int64_t at = 0; at <= pair.whole.elements(); ++at) {
      ASSERT_EQ(count_before(pair.part, pair.whole, at), counted);
      if (at < pair.whole.elements() && contains(pair.part, cell_at(pair.whole, at))) ++counted;
    }
    ASSERT_EQ(counted, pair.part.elements());
    ASSERT_EQ(count_before(pair.part, pair.whole, -1), 0);
  }
}

TEST(Box, RowCursorWalksExactlyTheCellsInTheRange) {
  std::mt19937 engine(2);
  for (int i = 0; i < 2000; ++i) {
    const Pair pair = random_pair(engine);
    const int64_t all = pair.whole.elements();
    const int64_t first = std::uniform_int_distribution<int64_t>(0, all)(engine);
    const int64_t last = std::uniform_int_distribution<int64_t>(first, all)(engine);
    RowCursor cursor(pair.part, pair.whole, first, last);
    int64_t next = first;
    for (Row row; cursor.next(row);) {
      ASSERT_GT(row.elements, 0);
      ASSERT_EQ(position(pair.whole, row.start), row.position);
      for (; next < row.position; ++next) ASSERT_FALSE(contains(pair.part, cell_at(pair.whole, next)));
      for (; next < row.position + row.elements; ++next) ASSERT_TRUE(contains(pair.part, cell_at(pair.whole, next)));
      ASSERT_LE(next, last);
    }
    for (; next < last; ++next) ASSERT_FALSE(contains(pair.part, cell_at(pair.whole, next)));
  }
}

}  // namespace
}  // namespace sv
