// The results of sv-probe from samples: quantiles, lines, and where a rate falls.
#include "samples.hpp"

#include "choice.hpp"

#include <gtest/gtest.h>

namespace {

using namespace sv_probe;

TEST(Samples, QuantilesLieBetweenSamples) {
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median({3}), 3);
  EXPECT_EQ(median({4, 1, 3}), 3);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(quantile({5, 1, 2, 4, 3}, 0.25), 2);
  EXPECT_EQ(quantile({5, 1, 2, 4, 3}, 1), 5);
  EXPECT_EQ(spread({1, 2, 3, 4, 6}), 2);
  EXPECT_EQ(spread({}), 1);
}

TEST(Samples, ALineGoesThroughTheMedians) {
  const Line line = line_through({{1, {5, 5, 99}}, {2, {7}}, {4, {11}}});
  EXPECT_DOUBLE_EQ(line.first, 5);
  EXPECT_DOUBLE_EQ(line.more, 2);
  const Line one = line_through({{1, {3}}});
  EXPECT_EQ(one.first, 3);
  EXPECT_EQ(one.more, 0);
}

TEST(Samples, NoPartOfALineIsNegative) {
  const Line falling = line_through({{1, {4}}, {2, {2}}});
  EXPECT_EQ(falling.first, 3);
  EXPECT_EQ(falling.more, 0);
  const Line steep = line_through({{1, {0}}, {2, {0}}, {9, {90}}});
  EXPECT_EQ(steep.first, 0);
  EXPECT_DOUBLE_EQ(steep.more, 10);
}

Samples blocks(int fast, int slow) {
  Samples rates(static_cast<size_t>(fast), 100);
  rates.insert(rates.end(), static_cast<size_t>(slow), 20);
  return rates;
}

TEST(Fall, IsFoundWhereTheRateFalls) {
  const Fall fall = find_fall(blocks(20, 10), 5);
  EXPECT_TRUE(fall.found);
  EXPECT_EQ(fall.blocks_before, 20);
  EXPECT_EQ(fall.before, 100);
  EXPECT_EQ(fall.after, 20);
}

TEST(Fall, IsNotFoundBeforeItHasLasted) {
  EXPECT_FALSE(find_fall(blocks(20, 9), 5).found);
  EXPECT_FALSE(find_fall(blocks(8, 4), 5).found);
  EXPECT_FALSE(find_fall(blocks(30, 0), 5).found);
  EXPECT_FALSE(find_fall({}, 5).found);
  Samples slow_for_a_while = blocks(20, 9);
  slow_for_a_while.insert(slow_for_a_while.end(), 6, 100);
  EXPECT_FALSE(find_fall(slow_for_a_while, 5).found);
  EXPECT_EQ(find_fall(slow_for_a_while, 5).blocks_before, 35);
}

TEST(Fall, ASingleBlockDoesNotMatter) {
  Samples rates = blocks(20, 12);
  rates[25] = 100;
  rates[10] = 10;
  EXPECT_TRUE(find_fall(rates, 5).found);
  EXPECT_EQ(find_fall(rates, 5).blocks_before, 20);
}

TEST(Policies, ThePlainOneIsKeptUnlessAnotherGains) {
  EXPECT_EQ(best_policy({}).policy, Policy{});
  const Samples plain{100, 200, 100, 110};
  const Choice none =
      best_policy({{{false, 1}, plain}, {{false, 4}, {105, 210, 105, 115}}, {{true, 1}, {60, 90, 50, 60}}});
  EXPECT_EQ(none.policy, Policy{});
  EXPECT_NE(none.why.find("the best was 4 at a time through the page cache: 1.05 times"), std::string::npos)
      << none.why;
  EXPECT_EQ(best_policy({{{false, 1}, plain}, {{false, 2}, {90, 300, 150, 165}}}).policy, (Policy{false, 2}));
  // Faster in half of the rounds, slower in the others.
  EXPECT_EQ(best_policy({{{false, 1}, plain}, {{false, 2}, {50, 100, 150, 165}}}).policy, Policy{});
}

TEST(Policies, OfThoseNearlyAsGoodThePlainestIsTaken) {
  const Samples plain{100, 100, 100};
  EXPECT_EQ(best_policy({{{false, 1}, plain}, {{false, 4}, {200, 200, 200}}, {{false, 8}, {203, 203, 203}}}).policy,
            (Policy{false, 4}));
  const Choice direct = best_policy({{{false, 1}, plain}, {{false, 4}, {150, 150, 150}}, {{true, 2}, {300, 290, 310}}});
  EXPECT_EQ(direct.policy, (Policy{true, 2}));
  EXPECT_EQ(direct.why, "2 at a time past the page cache: 3.00 times as fast as one through it");
}

}  // namespace
