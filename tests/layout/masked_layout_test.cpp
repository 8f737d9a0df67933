#include <gtest/gtest.h>

#include "base/error.hpp"
#include "layout/layout.hpp"

namespace sv {
namespace {

TEST(MaskedLayout, RanksNumberTheOtherBlocks) {
  const auto layout = masked_block_layout(9, 4, 3, 2, {false, true, true, true, false, true});
  ASSERT_EQ(layout->ranks(), 4);
  EXPECT_TRUE(layout->holes_declared());
  EXPECT_EQ(layout->patches_of_rank(0)[0].box, (Box{{0, 3}, {2, 3}}));
  EXPECT_EQ(layout->patches_of_rank(1)[0].box, (Box{{0, 6}, {2, 3}}));
  EXPECT_EQ(layout->patches_of_rank(2)[0].box, (Box{{2, 0}, {2, 3}}));
  EXPECT_EQ(layout->patches_of_rank(3)[0].box, (Box{{2, 6}, {2, 3}}));
  EXPECT_EQ(layout->owned_cells(), 24);
  ASSERT_EQ(layout->holes().size(), 2U);
}

TEST(MaskedLayout, WithoutLandItIsTheBlockLayout) {
  const auto masked = masked_block_layout(10, 7, 3, 2, std::vector<bool>(6, true)), full = block_layout(10, 7, 3, 2);
  ASSERT_EQ(masked->ranks(), full->ranks());
  EXPECT_FALSE(masked->has_holes());
  for (int rank = 0; rank < full->ranks(); ++rank)
    EXPECT_EQ(masked->patches_of_rank(rank)[0].box, full->patches_of_rank(rank)[0].box);
}

TEST(MaskedLayout, BlocksWithoutCellsHaveTheirRank) {
  const auto layout = masked_block_layout(2, 1, 3, 1, {true, false, true});
  EXPECT_EQ(layout->ranks(), 2);
  EXPECT_EQ(layout->cells_of_rank(0), 1);
  EXPECT_EQ(layout->cells_of_rank(1), 0);
}

TEST(MaskedLayout, IoDomainsMayHaveHolesOrNoRank) {
  // Land: the four blocks of the lower left corner, and one in the middle of the lower right quarter.
  std::vector<bool> mask(16, true);
  for (const size_t land : {0, 1, 4, 5, 6}) mask[land] = false;
  const auto layout = masked_block_layout(8, 8, 4, 4, mask);
  const auto domains = io_domains(*layout, 2, 2);
  ASSERT_EQ(domains.size(), 3U) << "the lower left one has no rank";
  EXPECT_EQ(domains[0].box, (Box{{0, 4}, {4, 4}}));
  EXPECT_EQ(domains[0].root, 0);
  EXPECT_EQ(domains[1].box, (Box{{4, 0}, {4, 4}}));
  EXPECT_EQ(domains[1].root, 3);
}

TEST(MaskedLayout, BadMasksAreRefused) {
  for (const std::vector<bool> &mask : {std::vector<bool>(5, true), std::vector<bool>(6, false), {}}) {
    try {
      masked_block_layout(10, 7, 3, 2, mask);
      FAIL() << "a mask of " << mask.size() << " values was accepted";
    } catch (const Error &error) {
      EXPECT_EQ(error.status(), Status::invalid);
      EXPECT_NE(std::string(error.what()).find("3 x 2 blocks"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace sv
