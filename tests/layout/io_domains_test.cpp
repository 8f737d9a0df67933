#include <gtest/gtest.h>

#include "base/error.hpp"
#include "layout/layout.hpp"

namespace sv {
namespace {

TEST(IoDomains, GroupColumnsAndRows) {
  const auto layout = block_layout(12, 6, 4, 3);
  const auto domains = io_domains(*layout, 2, 1);
  ASSERT_EQ(domains.size(), 2U);
  EXPECT_EQ(domains[0].box, (Box{{0, 0}, {6, 6}}));
  EXPECT_EQ(domains[0].root, 0);
  EXPECT_EQ(domains[1].box, (Box{{0, 6}, {6, 6}}));
  EXPECT_EQ(domains[1].root, 2);
}

TEST(IoDomains, NeedNotDivideTheProcessGrid) {
  const auto layout = block_layout(10, 7, 5, 3);
  const auto domains = io_domains(*layout, 3, 2);
  ASSERT_EQ(domains.size(), 6U);
  EXPECT_EQ(domains[0].box, (Box{{0, 0}, {5, 4}}));
  EXPECT_EQ(domains[2].box, (Box{{0, 8}, {5, 2}}));
  EXPECT_EQ(domains[5].box, (Box{{5, 8}, {2, 2}}));
  EXPECT_EQ(domains[5].root, 14);
  int64_t cells = 0;
  for (const IoDomain &domain : domains) cells += domain.box.elements();
  EXPECT_EQ(cells, layout->cells());
}

/// Land: all blocks of the right half, and rank 0's.
std::shared_ptr<const Layout> land_masked() {
  std::vector<Patch> patches;
  const auto full = block_layout(8, 4, 4, 2);
  for (const Patch &patch : full->patches()) {
    if (patch.box.start[1] < 4 && patch.rank != 0) patches.push_back(patch);
  }
  return std::make_shared<const Layout>(full->shape(), 8, patches, true);
}

TEST(IoDomains, AllLandColumnsFallToTheGroupBeforeThem) {
  const auto domains = io_domains(*land_masked(), 2, 2);
  ASSERT_EQ(domains.size(), 3U) << "the domain of rank 0 is all land";
  EXPECT_EQ(domains[0].box, (Box{{0, 2}, {2, 6}}));
  EXPECT_EQ(domains[0].root, 1);
  EXPECT_EQ(domains[1].box, (Box{{2, 0}, {2, 2}}));
  EXPECT_EQ(domains[1].root, 4);
}

TEST(IoDomains, OtherDimensionsBelongToEveryDomain) {
  std::vector<Patch> patches;
  for (int rank = 0; rank < 4; ++rank) {
    patches.push_back({rank, {{rank / 2 * 3, 0, rank % 2 * 5}, {3, 4, 5}}, Index(3, 0)});
  }
  const Layout layout({6, 4, 10}, 4, patches, false);
  EXPECT_EQ(process_grid(layout).columns, 2);
  EXPECT_EQ(process_grid(layout).rows, 1);
  const auto domains = io_domains(layout, 2, 1);
  ASSERT_EQ(domains.size(), 2U);
  EXPECT_EQ(domains[1].box, (Box{{0, 0, 5}, {6, 4, 5}}));
  EXPECT_EQ(domains[1].root, 1);
}

TEST(IoDomains, TooManyAreRefusedWithTheNearest) {
  const auto layout = block_layout(12, 6, 4, 3);
  try {
    io_domains(*layout, 5, 3);
    FAIL() << "5 columns of I/O domains over 4 columns of blocks";
  } catch (const Error &error) {
    EXPECT_EQ(error.status(), Status::invalid);
    EXPECT_NE(std::string(error.what()).find("io_layout = 4,3"), std::string::npos) << error.what();
  }
  EXPECT_THROW(io_domains(*layout, 0, 1), Error);
}

TEST(IoDomains, BlocksMustFormAGrid) {
  const Layout bricks({4, 6}, 4,
                      {{0, {{0, 0}, {2, 3}}, {0, 0}},
                       {1, {{0, 3}, {2, 3}}, {0, 0}},
                       {2, {{2, 0}, {2, 2}}, {0, 0}},
                       {3, {{2, 2}, {2, 4}}, {0, 0}}},
                      false);
  try {
    io_domains(bricks, 1, 2);
    FAIL() << "bricks are no columns";
  } catch (const Error &error) {
    EXPECT_EQ(error.status(), Status::invalid);
    EXPECT_NE(std::string(error.what()).find("rank 0"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace sv
