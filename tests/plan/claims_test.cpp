// Claims of many ranks on one field, against counting cell by cell.
#include "plan/claims.hpp"

#include <gtest/gtest.h>

#include <ctime>
#include <map>
#include <set>

#include "random_case.hpp"

namespace sv::test {
namespace {

Box random_box(Dice &dice, const Index &shape) {
  Box box{Index(shape.n, 0), Index(shape.n, 1)};
  for (int d = 0; d < shape.n; ++d) {
    box.start[d] = dice.roll(0, shape[d] - 1);
    box.count[d] = dice.roll(1, shape[d] - box.start[d]);
  }
  return box;
}

struct ClaimsCase {
  Index shape;
  int ranks;
  std::vector<Claim> claims;  // in the order of their ranks
};

ClaimsCase random_claims(Dice &dice) {
  ClaimsCase c{Index(static_cast<int>(dice.roll(0, 3)), 0), static_cast<int>(dice.roll(1, 4)), {}};
  for (int d = 0; d < c.shape.n; ++d) c.shape[d] = dice.roll(1, 6);
  for (int rank = 0; rank < c.ranks; ++rank)
    for (int order = 0, n = static_cast<int>(dice.roll(0, 4)); order < n; ++order)
      for (int region = 0, regions = static_cast<int>(dice.roll(1, 2)); region < regions; ++region)
        c.claims.push_back({rank, order, random_box(dice, c.shape), region});
  return c;
}

/// Who claims each cell, as indices.
std::vector<std::vector<int>> claimants(const ClaimsCase &c, std::span<const Claim> claims) {
  const Box whole = Box::whole(c.shape);
  std::vector<std::vector<int>> all(static_cast<size_t>(whole.elements()));
  for (size_t i = 0; i < claims.size(); ++i)
    for (int64_t at = 0; at < claims[i].box.elements(); ++at)
      all[static_cast<size_t>(position(whole, cell_at(claims[i].box, at)))].push_back(static_cast<int>(i));
  return all;
}

TEST(Claims, MatchCountingCellByCell) {
  for (int seed = 0; seed < case_count(3000); ++seed) {
    Dice dice(seed);
    const ClaimsCase c = random_claims(dice);
    const Claims claims(c.shape, c.ranks, c.claims, 0);
    const auto cells = claimants(c, c.claims);
    int64_t elements = 0, deepest = 1, first = -1, last = 0;
    std::set<std::pair<int, int>> pairs;
    for (size_t at = 0; at < cells.size(); ++at) {
      elements += static_cast<int64_t>(cells[at].size());
      deepest = std::max(deepest, static_cast<int64_t>(cells[at].size()));
      if (!cells[at].empty() && first < 0) first = static_cast<int64_t>(at);
      if (!cells[at].empty()) last = static_cast<int64_t>(at) + 1;
      for (size_t a = 0; a < cells[at].size(); ++a)
        for (size_t b = a + 1; b < cells[at].size(); ++b) pairs.insert({cells[at][a], cells[at][b]});
    }
    ASSERT_EQ(claims.elements(), elements) << seed;
    ASSERT_GE(claims.depth(), deepest) << seed;
    ASSERT_EQ(claims.depth() == 1, pairs.empty()) << seed;
    ASSERT_EQ(claims.reach().first, std::max<int64_t>(first, 0)) << seed;
    ASSERT_EQ(claims.reach().last, last) << seed;
    ASSERT_EQ(claims.cover_all(), pairs.empty() && elements == static_cast<int64_t>(cells.size())) << seed;
    const std::vector<int> found = rivals(c.shape, c.claims);
    std::set<int> in_pairs;
    for (const auto &[a, b] : pairs) in_pairs.insert({a, b});
    for (int i = 0; i < static_cast<int>(found.size()); ++i) {
      const int rival = found[static_cast<size_t>(i)];
      ASSERT_EQ(rival >= 0, in_pairs.count(i) > 0) << seed;
      ASSERT_TRUE(rival < 0 || pairs.count({std::min(i, rival), std::max(i, rival)}) > 0) << seed;
    }
    int64_t of_ranks = 0;
    for (int rank = 0; rank < c.ranks; ++rank) {
      for (const Claim &each : claims.of_rank(rank)) ASSERT_EQ(each.rank, rank) << seed;
      of_ranks += claims.elements_of(rank);
    }
    ASSERT_EQ(of_ranks, elements) << seed;
  }
}

TEST(Claims, TheLaterOneWins) {
  for (int seed = 0; seed < case_count(3000); ++seed) {
    Dice dice(seed);
    const ClaimsCase c = random_claims(dice);
    const std::vector<Claim> left = without_overlaps(c.shape, c.claims);
    const auto before = claimants(c, c.claims), after = claimants(c, left);
    for (size_t at = 0; at < before.size(); ++at) {
      ASSERT_EQ(after[at].size(), before[at].empty() ? 0 : 1) << seed;
      if (before[at].empty()) continue;
      // They are in the order of ranks, then of requests and regions.
      const Claim &winner = c.claims[static_cast<size_t>(before[at].back())];
      const Claim &found = left[static_cast<size_t>(after[at].front())];
      ASSERT_EQ(std::tuple(found.rank, found.order, found.region), std::tuple(winner.rank, winner.order, winner.region))
          << seed;
    }
  }
}

TEST(Claims, GroupsAreDisjointAndHaveAll) {
  for (int seed = 0; seed < case_count(1000); ++seed) {
    Dice dice(seed);
    const ClaimsCase c = random_claims(dice);
    std::set<int> all;
    for (const std::vector<int> &group : disjoint_groups(c.shape, c.claims)) {
      std::vector<Claim> taken;
      for (const int i : group) taken.push_back(c.claims[static_cast<size_t>(i)]);
      for (const int rival : rivals(c.shape, taken)) ASSERT_EQ(rival, -1) << seed;
      all.insert(group.begin(), group.end());
    }
    ASSERT_EQ(all.size(), c.claims.size()) << seed;
  }
}

/// Points of many ranks, each a box of all levels: in any order of the cells they meet nowhere, and are found to.
TEST(Claims, OfPointsOnManyLevelsAreComparedInNearlyLinearTime) {
  constexpr int64_t cells = 100'000;
  constexpr double most_seconds = 20;  // of this process: 200 times what it takes; to compare all pairs takes longer
  const Index shape{8, cells};
  std::vector<Claim> claims;
  for (int64_t cell = 0; cell < cells; ++cell) claims.push_back({0, 0, {{0, cell}, {8, 1}}, static_cast<int>(cell)});
  const std::clock_t begin = std::clock();
  EXPECT_EQ(Claims(shape, 1, claims, 0).depth(), 1);
  EXPECT_EQ(disjoint_groups(shape, claims).size(), 1U);
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, most_seconds);
}

TEST(ReadTogether, EveryClaimOnceInBoxesOfBoundedSize) {
  for (int seed = 0; seed < case_count(2000); ++seed) {
    Dice dice(seed);
    const ClaimsCase c = random_claims(dice);
    const Claims claims(c.shape, c.ranks, c.claims, 0);
    const int64_t most = dice.roll(1, 300);
    std::multiset<const Claim *> all, grouped;
    for (const Claim &each : claims.of_rank(0)) all.insert(&each);
    for (const ClaimGroup &group : read_together(claims.of_rank(0), 8, most)) {
      EXPECT_TRUE(group.claims.size() == 1 || group.around.elements() * 8 <= most) << "seed " << seed;
      for (const Claim *each : group.claims) {
        EXPECT_EQ(intersect(each->box, group.around), each->box) << "seed " << seed;
        grouped.insert(each);
      }
    }
    EXPECT_EQ(grouped, all) << "seed " << seed;
  }
}

TEST(ReadTogether, NotWhatLiesFarApart) {
  const Index shape{2, 100'000};
  const std::vector<Claim> near{{0, 0, {{0, 5}, {2, 1}}}, {0, 0, {{0, 300}, {2, 1}}}};
  const std::vector<Claim> far{{0, 0, {{0, 5}, {2, 1}}}, {0, 0, {{0, 30'000}, {2, 1}}}};
  EXPECT_EQ(read_together(Claims(shape, 1, near, 0).of_rank(0), 8, 1 << 20).size(), 1U);
  EXPECT_EQ(read_together(Claims(shape, 1, far, 0).of_rank(0), 8, 1 << 20).size(), 2U);
}

}  // namespace
}  // namespace sv::test
