#include "plan/directory.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace sv::test {
namespace {

struct Owned {
  int64_t cells;
  std::vector<std::vector<int64_t>> of_rank;
};

/// Cells of random ranks; some of none, and some of two.
Owned random_owners(std::mt19937 &engine, bool twice) {
  Owned made{1 + static_cast<int64_t>(engine() % 300), {}};
  const int ranks = 1 + static_cast<int>(engine() % 12);
  made.of_rank.resize(static_cast<size_t>(ranks));
  for (int64_t cell = 0; cell < made.cells; ++cell) {
    if (engine() % 10 == 0) continue;
    const size_t rank = engine() % made.of_rank.size();
    made.of_rank[rank].push_back(cell);
    const size_t other = engine() % made.of_rank.size();
    if (twice && other != rank && engine() % 40 == 0) made.of_rank[other].push_back(cell);
  }
  return made;
}

/// All parts, after the notices of all ranks, in any order.
std::vector<DirectoryPart> directory_of(const Owned &owned) {
  const auto ranks = static_cast<int>(owned.of_rank.size());
  std::vector<DirectoryPart> parts;
  for (int rank = 0; rank < ranks; ++rank) parts.emplace_back(owned.cells, ranks, rank);
  for (int rank = ranks - 1; rank >= 0; --rank) {
    const OwnPoints own = own_points(owned.of_rank[static_cast<size_t>(rank)], owned.cells);
    int before = -1;
    for (const Notice &notice : notices_of(own.runs.view(), owned.cells, ranks)) {
      EXPECT_GT(notice.to, before);
      EXPECT_FALSE(notice.code.empty());
      before = notice.to;
      parts[static_cast<size_t>(notice.to)].enter(rank, notice.code);
    }
  }
  return parts;
}

TEST(Directory, KnowsTheOwnerOfEveryCell) {
  std::mt19937 engine(1);
  for (int i = 0; i < 400; ++i) {
    const Owned owned = random_owners(engine, false);
    const auto ranks = static_cast<int>(owned.of_rank.size());
    std::map<int64_t, int> right;
    for (int rank = 0; rank < ranks; ++rank)
      for (const int64_t cell : owned.of_rank[static_cast<size_t>(rank)]) right[cell] = rank;
    const std::vector<DirectoryPart> parts = directory_of(owned);
    std::set<int64_t> holes;
    int64_t counted = 0;
    for (const DirectoryPart &part : parts) {
      EXPECT_FALSE(part.overlap());
      counted += part.owned();
      const RunList runs = part.holes();
      for (int64_t run = 0; run < runs.view().runs(); ++run)
        for (int64_t p = 0; p < runs.view().length(run); ++p) holes.insert(runs.place[static_cast<size_t>(run)] + p);
    }
    ASSERT_EQ(counted, std::ssize(right));
    for (int64_t cell = 0; cell < owned.cells; ++cell) {
      const int keeper = keeper_of(cell, owned.cells, ranks);
      const Part part = part_of(owned.cells, ranks, keeper);
      ASSERT_TRUE(cell >= part.start && cell < part.start + part.count);
      const auto found = right.find(cell);
      ASSERT_EQ(parts[static_cast<size_t>(keeper)].owner(cell), found == right.end() ? -1 : found->second);
      ASSERT_EQ(holes.count(cell), found == right.end() ? 1u : 0u);
    }
  }
}

TEST(Directory, FindsCellsWithTwoOwners) {
  std::mt19937 engine(2);
  for (int i = 0; i < 400; ++i) {
    const Owned owned = random_owners(engine, true);
    std::set<int64_t> once, twice;
    for (const auto &cells : owned.of_rank)
      for (const int64_t cell : cells)
        if (!once.insert(cell).second) twice.insert(cell);
    std::optional<std::string> description;
    for (const DirectoryPart &part : directory_of(owned))
      if (part.overlap() && !description) description = part.overlap();
    ASSERT_EQ(description.has_value(), !twice.empty());
    if (!description) continue;
    const int64_t cell = std::stoll(description->substr(description->rfind(' ')));
    EXPECT_EQ(twice.count(cell), 1u) << *description;
  }
}

}  // namespace
}  // namespace sv::test
