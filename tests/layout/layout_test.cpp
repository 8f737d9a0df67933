#include "layout/layout.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "base/error.hpp"

namespace sv {
namespace {

Layout layout_of(const Index &shape, int ranks, const std::vector<std::pair<int, Box>> &boxes, bool holes = false) {
  std::vector<Patch> patches;
  for (const auto &[rank, box] : boxes) patches.push_back({rank, box, Index(shape.n, 0)});
  return {shape, ranks, patches, holes};
}

std::string error_of(const BlockRequest &block, const Index &shape, const std::vector<bool> &periodic) {
  try {
    patches_of(block, shape, periodic, 3);
  } catch (const Error &error) {
    EXPECT_EQ(error.status(), Status::layout);
    return error.what();
  }
  return "";
}

TEST(Patches, ABlockInsideIsOnePatch) {
  const auto patches = patches_of({{2, 4}, {3, 5}}, {10, 20}, {false, true}, 7);
  ASSERT_EQ(patches.size(), 1U);
  EXPECT_EQ(patches[0].rank, 7);
  EXPECT_EQ(patches[0].box, (Box{{2, 4}, {3, 5}}));
  EXPECT_EQ(patches[0].local, Index({0, 0}));
}

TEST(Patches, ABlockIsCutAtPeriodicBoundaries) {
  const auto patches = patches_of({{-1, 18}, {3, 4}}, {10, 20}, {true, true}, 0);
  ASSERT_EQ(patches.size(), 4U);
  EXPECT_EQ(patches[0].box, (Box{{9, 18}, {1, 2}}));
  EXPECT_EQ(patches[1].box, (Box{{9, 0}, {1, 2}}));
  EXPECT_EQ(patches[1].local, Index({0, 2}));
  EXPECT_EQ(patches[2].box, (Box{{0, 18}, {2, 2}}));
  EXPECT_EQ(patches[3].box, (Box{{0, 0}, {2, 2}}));
  EXPECT_EQ(patches[3].local, Index({1, 2}));
}

TEST(Patches, AWholePeriodMayStartAnywhere) {
  const auto patches = patches_of({{25}, {10}}, {10}, {true}, 0);
  ASSERT_EQ(patches.size(), 2U);
  EXPECT_EQ(patches[0].box, (Box{{5}, {5}}));
  EXPECT_EQ(patches[1].box, (Box{{0}, {5}}));
}

TEST(Patches, AnEmptyBlockHasNone) {
  EXPECT_TRUE(patches_of({{0, 0}, {0, 0}}, {10, 20}, {}, 0).empty());
  EXPECT_TRUE(patches_of({{99, 0}, {0, 4}}, {10, 20}, {}, 0).empty());
}

TEST(Patches, BadBlocksAreRefusedWithTheRank) {
  EXPECT_NE(
      error_of({{8, 0}, {3, 1}}, {10, 20}, {}).find("rank 3: the block of (3, 1) cells at (8, 0) leaves the grid"),
      std::string::npos);
  EXPECT_NE(error_of({{-1, 0}, {3, 1}}, {10, 20}, {}), "");
  EXPECT_NE(error_of({{0, 0}, {-3, 1}}, {10, 20}, {}).find("negative count"), std::string::npos);
  EXPECT_NE(error_of({{0, 0}, {11, 1}}, {10, 20}, {true, true}), "");
  EXPECT_NE(error_of({{INT64_MAX, 0}, {2, 1}}, {10, 20}, {}), "");
  EXPECT_NE(error_of({{0}, {1}}, {10, 20}, {}).find("1 dimensions where the grid has 2"), std::string::npos);
}

TEST(Layout, KnowsItsRanks) {
  const Layout layout = layout_of({4, 6}, 4, {{0, {{0, 0}, {4, 2}}}, {2, {{0, 2}, {2, 4}}}, {2, {{2, 2}, {2, 4}}}});
  EXPECT_EQ(layout.cells(), 24);
  EXPECT_EQ(layout.owned_cells(), 24);
  EXPECT_FALSE(layout.has_holes());
  EXPECT_EQ(layout.cells_of_rank(0), 8);
  EXPECT_EQ(layout.cells_of_rank(1), 0);
  EXPECT_EQ(layout.patches_of_rank(2).size(), 2U);
  EXPECT_TRUE(layout.patches_of_rank(3).empty());
}

TEST(Layout, OverlapsAreFoundByBothRanks) {
  const Layout layout = layout_of({4, 6}, 2, {{0, {{0, 0}, {4, 3}}}, {1, {{1, 2}, {2, 4}}}});
  for (const int rank : {0, 1}) {
    EXPECT_EQ(find_overlap(layout, rank), "ranks 0 and 1 both own the cells [1:3, 2:3] of the grid [0:4, 0:6]");
  }
  EXPECT_EQ(find_overlap(*block_layout(5, 7, 2, 3), 4), std::nullopt);
  EXPECT_NE(find_overlap(layout_of({4}, 1, {{0, {{0}, {3}}}, {0, {{2}, {2}}}}), 0), std::nullopt);
}

TEST(Layout, GapsAreNamed) {
  const Layout layout = layout_of({4, 6}, 2, {{0, {{0, 0}, {4, 3}}}, {1, {{0, 3}, {2, 3}}}});
  EXPECT_EQ(find_gap(layout), "no rank owns the cells [2:4, 3:6] of the grid [0:4, 0:6]");
  EXPECT_TRUE(layout.holes().empty()) << "holes were not declared";
  EXPECT_EQ(find_gap(*block_layout(5, 7, 2, 3)), std::nullopt);
}

TEST(Layout, HolesAreExactlyWhatNobodyOwns) {
  std::mt19937 engine(3);
  for (int i = 0; i < 300; ++i) {
    const auto full = block_layout(1 + engine() % 9, 1 + engine() % 9, 1 + engine() % 4, 1 + engine() % 4);
    std::vector<Patch> kept;
    for (const Patch &patch : full->patches()) {
      if (engine() % 3 != 0) kept.push_back(patch);
    }
    const Layout layout(full->shape(), full->ranks(), kept, true);
    std::set<int64_t> cells;
    const Box whole = Box::whole(layout.shape());
    const auto add = [&](const Box &box) {
      for (int64_t at = 0; at < box.elements(); ++at) {
        ASSERT_TRUE(cells.insert(position(whole, cell_at(box, at))).second) << "twice";
      }
    };
    for (const Patch &patch : kept) add(patch.box);
    for (const Box &hole : layout.holes()) add(hole);
    ASSERT_EQ(static_cast<int64_t>(cells.size()), whole.elements());
  }
}

TEST(Layout, ScalarsHaveOneCell) {
  const Layout layout = layout_of({}, 2, {{0, {{}, {}}}});
  EXPECT_EQ(layout.cells(), 1);
  EXPECT_FALSE(layout.has_holes());
  EXPECT_EQ(io_domains(layout, 1, 1).size(), 1U);
}

TEST(Layout, PartsAreEven) {
  EXPECT_EQ(part_of(10, 3, 0).count, 4);
  EXPECT_EQ(part_of(10, 3, 1).start, 4);
  EXPECT_EQ(part_of(10, 3, 2).start, 7);
  EXPECT_EQ(part_of(2, 3, 2).count, 0);
}

TEST(Layout, NeighboursMerge) {
  const auto layout = block_layout(7, 5, 3, 2);
  std::vector<Box> boxes;
  for (const Patch &patch : layout->patches()) boxes.push_back(patch.box);
  EXPECT_EQ(merged(boxes), std::vector<Box>{Box::whole({5, 7})});
  boxes.erase(boxes.begin());
  EXPECT_EQ(merged(boxes).size(), 2U);
  EXPECT_TRUE(merged({}).empty());
}

}  // namespace
}  // namespace sv
