#include "layout/layout_table.hpp"

#include <gtest/gtest.h>

#include "layout/layout.hpp"

namespace sv {
namespace {

/// Of three ranks, the second of which owns nothing, and the last a block around both ends.
std::vector<Patch> wrapping() {
  std::vector<Patch> patches = patches_of({{0, 2}, {4, 5}}, {4, 10}, {false, true}, 0);
  for (const Patch &patch : patches_of({{1, 8}, {3, 4}}, {4, 10}, {false, true}, 2)) patches.push_back(patch);
  return patches;
}

std::vector<int64_t> numbers_of(const Index &shape, int ranks, const std::vector<Patch> &patches, bool holes) {
  TableNumbers numbers(shape, ranks, patches.size());
  for (const Patch &patch : patches) numbers.add(patch);
  return numbers.numbers(holes);
}

void expect_patches(const LayoutTable &table, const std::vector<Patch> &expected) {
  ASSERT_EQ(table.patches().size(), expected.size());
  size_t at = 0;
  for (const Patch &patch : table.patches()) {
    EXPECT_EQ(patch.number, at);
    EXPECT_EQ(patch.rank, expected[at].rank);
    EXPECT_EQ(patch.box, expected[at].box);
    EXPECT_EQ(patch.local, expected[at].local);
    EXPECT_EQ(table.owner(at), expected[at].rank);
    EXPECT_EQ(table.boxes().elements(at), expected[at].box.elements());
    ++at;
  }
}

TEST(LayoutTable, TellsWhatItWasTold) {
  const std::vector<Patch> patches = wrapping();
  ASSERT_EQ(patches.size(), 3U);
  ASSERT_EQ(patches.back().local, Index({0, 2}));
  const LayoutTable table = LayoutTable::of_its_own(numbers_of({4, 10}, 3, patches, false));
  expect_patches(table, patches);
  EXPECT_EQ(table.ranks(), 3);
  EXPECT_EQ(table.patches_of_rank(0).size(), 1U);
  EXPECT_TRUE(table.patches_of_rank(1).empty());
  EXPECT_EQ(table.patches_of_rank(2).size(), 2U);
  EXPECT_EQ(table.patches_of_rank(2).front().number, 1U);
  EXPECT_EQ(table.cells_of_rank(1), 0);
  EXPECT_EQ(table.cells_of_rank(2), 12);
  EXPECT_EQ(table.owned_cells(), 32);
  EXPECT_TRUE(table.holes().empty()) << "they were not declared";
}

TEST(LayoutTable, KnowsWhatNobodyOwns) {
  const LayoutTable table = LayoutTable::of_its_own(numbers_of({4, 10}, 3, wrapping(), true));
  int64_t cells = 0;
  for (const Box &hole : table.holes()) {
    cells += hole.elements();
    for (size_t i = 0; i < table.boxes().size(); ++i) EXPECT_FALSE(table.boxes().meets(i, hole));
  }
  EXPECT_EQ(cells, 40 - 32);
}

/// Sharing a table copies its numbers to another place.
TEST(LayoutTable, StandsAnywhereAndKeepsItsMemory) {
  const std::vector<Patch> patches = wrapping();
  std::vector<int64_t> numbers = numbers_of({4, 10}, 3, patches, true);
  auto memory = std::make_shared<std::vector<int64_t>>(numbers);
  const std::weak_ptr<std::vector<int64_t>> watched = memory;
  {
    const LayoutTable table(*memory, memory);
    numbers.assign(numbers.size(), -1);
    memory.reset();
    const LayoutTable copy = table;
    expect_patches(copy, patches);
    EXPECT_FALSE(watched.expired());
  }
  EXPECT_TRUE(watched.expired());
}

TEST(LayoutTable, TakesWhatTheDimensionsNeed) {
  const auto bytes = [](int px, int py) {
    const auto layout = block_layout(1000, 1000, px, py);
    const std::vector<Patch> patches(layout->patches().begin(), layout->patches().end());
    return numbers_of({1000, 1000}, px * py, patches, false).size() * sizeof(int64_t);
  };
  EXPECT_EQ(bytes(20, 10) - bytes(10, 10), 100U * 56) << "start, count and owner of a block, and two sums of its rank";
}

TEST(LayoutTable, ServesRanksOfOtherNumbers) {
  const std::vector<Patch> patches = wrapping();
  const std::vector<int> ranks = {1, 3, 4};
  auto small = std::make_unique<const LayoutTable>(LayoutTable::of_its_own(numbers_of({4, 10}, 3, patches, true)));
  const LayoutTable table = small->renumbered(ranks, 6);
  const size_t holes = small->holes().size();
  small.reset();
  std::vector<Patch> expected = patches;
  for (Patch &patch : expected) patch.rank = ranks[static_cast<size_t>(patch.rank)];
  expect_patches(table, expected);
  EXPECT_EQ(table.ranks(), 6);
  EXPECT_TRUE(table.patches_of_rank(0).empty());
  EXPECT_EQ(table.patches_of_rank(1).size(), 1U);
  EXPECT_EQ(table.cells_of_rank(4), 12);
  EXPECT_EQ(table.cells_of_rank(5), 0);
  EXPECT_EQ(table.owned_cells(), 32);
  EXPECT_EQ(table.holes().size(), holes);
}

TEST(LayoutTable, OfPointsHasNoPatches) {
  const LayoutTable table = LayoutTable::of_its_own(TableNumbers(Index{10}, {3, 0, 7}).numbers(true));
  EXPECT_TRUE(table.patches().empty());
  EXPECT_TRUE(table.patches_of_rank(2).empty());
  EXPECT_EQ(table.cells_of_rank(2), 7);
  EXPECT_EQ(table.owned_cells(), 10);
}

}  // namespace
}  // namespace sv
