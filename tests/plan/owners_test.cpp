#include <gtest/gtest.h>

#include <map>

#include "random_case.hpp"

namespace sv::test {
namespace {

struct Wanted {
  int writer;
  int64_t first, last;
};

void expect_ranges(const std::vector<OwnedRange> &ranges, const std::vector<Wanted> &wanted) {
  ASSERT_EQ(ranges.size(), wanted.size());
  for (size_t i = 0; i < ranges.size(); ++i) {
    EXPECT_EQ(ranges[i].writer, wanted[i].writer) << "range " << i;
    EXPECT_EQ(ranges[i].first, wanted[i].first) << "range " << i;
    EXPECT_EQ(ranges[i].last, wanted[i].last) << "range " << i;
  }
}

TEST(Owners, DivideStripesEvenlyAndLeaveTheHeadersStripeToWriter0) {
  // Stripes of 100 bytes: the header's is 0; 1..7 begin in the field.
  const ListedExtents extents({{0, 40}, {40, 800}});
  const Field field{{95}, 0, 8, 40};
  expect_ranges(owner_ranges(field, extents, 3, 100), {{0, 0, 45}, {1, 45, 70}, {2, 70, 95}});
}

TEST(Owners, OfOneAreSimple) {
  const ListedExtents extents({{0, 40}, {40, 800}});
  expect_ranges(owner_ranges({{95}, 0, 8, 40}, extents, 1, 100), {{0, 0, 95}});
  EXPECT_TRUE(owner_ranges({{0}, 0, 8, 40}, extents, 1, 100).empty());
  EXPECT_TRUE(owner_ranges({{0}, 0, 8, 40}, extents, 2, 100).empty());
}

TEST(Owners, SmallFieldsTakeTurns) {
  const ListedExtents extents({{0, 100}, {100, 200}, {200, 300}, {300, 400}});
  for (int i = 1; i <= 3; ++i) {
    const Field field{{25}, 0, 4, 100 * i};
    expect_ranges(owner_ranges(field, extents, 3, 100), {{i % 3, 0, 25}});
  }
}

TEST(Owners, KeepTheStripesThatBeginBeforeTheField) {
  // The stripes at 0 and 100 begin in the first field, 200 in the second.
  const ListedExtents extents({{0, 8}, {8, 160}, {160, 400}});
  expect_ranges(owner_ranges({{60}, 0, 4, 160}, extents, 2, 100), {{1, 0, 10}, {0, 10, 35}, {1, 35, 60}});
}

TEST(Owners, GapsGoToTheLastOwnerBeforeThem) {
  // The stripes at 500 and 600 begin in the gap; the second field begins in the latter.
  const ListedExtents extents({{0, 100}, {100, 500}, {650, 900}});
  expect_ranges(owner_ranges({{250}, 0, 1, 650}, extents, 2, 100), {{1, 0, 50}, {0, 50, 150}, {1, 150, 250}});
}

TEST(Owners, ElementsAcrossABoundaryBelongToTheirFirstByte) {
  const ListedExtents extents({{0, 4}, {4, 404}});
  const auto ranges = owner_ranges({{50}, 0, 8, 4}, extents, 2, 100);
  // Stripes 1 .. 4 begin in the field: 2 each. In the second field the element at 295 crosses the boundary at 300.
  expect_ranges(ranges, {{0, 0, 37}, {1, 37, 50}});
  EXPECT_EQ(4 + 8 * ranges[0].last, 300);
  expect_ranges(owner_ranges({{49}, 0, 8, 7}, extents, 2, 100), {{0, 0, 37}, {1, 37, 49}});
}

/// Files of random fields and gaps: the whole file's stripes have one owner each, through every
/// field.
TEST(Owners, AgreeFromFieldToField) {
  const int count = case_count(2000);
  for (int seed = 0; seed < count; ++seed) {
    Dice dice(seed);
    std::vector<Extent> extents{{0, dice.roll(1, 300)}};
    for (int64_t fields = dice.roll(1, 12); fields > 0; --fields) {
      const int64_t begin = extents.back().end + (dice.chance(30) ? dice.roll(1, 500) : 0);
      extents.push_back({begin, begin + dice.roll(0, 2000)});
    }
    const ListedExtents map(extents);
    const int writers = static_cast<int>(dice.roll(1, 7));
    const int64_t stripe_bytes = dice.pick({16, 100, 512});
    std::map<int64_t, int> owner_of_stripe;
    for (size_t e = 1; e < extents.size(); ++e) {
      const Extent &extent = extents[e];
      int64_t next = 0;
      for (const OwnedRange &range :
           owner_ranges({{extent.end - extent.begin}, 0, 1, extent.begin}, map, writers, stripe_bytes)) {
        ASSERT_EQ(range.first, next) << "case " << seed;
        ASSERT_LT(range.first, range.last);
        next = range.last;
        for (int64_t at = range.first; at < range.last; ++at) {
          const int64_t stripe = (extent.begin + at) / stripe_bytes;
          ASSERT_EQ(owner_of_stripe.try_emplace(stripe, range.writer).first->second, range.writer) << "case " << seed;
        }
      }
      ASSERT_EQ(next, extent.end - extent.begin) << "case " << seed;
    }
  }
}

}  // namespace
}  // namespace sv::test
