#include "layout/strided.hpp"

#include <gtest/gtest.h>

namespace sv {
namespace {

TEST(Strided, FindsTheElementOfACell) {
  const Strided request{{2}, {3}, {4}};  // cells 2, 6, 10
  EXPECT_EQ(0, request.find(0, 2));
  EXPECT_EQ(2, request.find(0, 10));
  EXPECT_EQ(-1, request.find(0, 1));
  EXPECT_EQ(-1, request.find(0, 7));
  EXPECT_EQ(-1, request.find(0, 14));
}

TEST(Strided, FallsIntoAPartForEveryCellWhereItsCellsDoNotFollowOneAnother) {
  const Strided request{{0, 5}, {3, 4}, {2, 1}};
  const Index divisions = divisions_of(request);
  EXPECT_EQ((Index{3, 1}), divisions);
  const Patch second = part_of(request, divisions, 1, 7);
  EXPECT_EQ(7, second.rank);
  EXPECT_EQ((Index{2, 5}), second.box.start);
  EXPECT_EQ((Index{1, 4}), second.box.count);
  EXPECT_EQ((Index{1, 0}), second.local);
}

}  // namespace
}  // namespace sv
