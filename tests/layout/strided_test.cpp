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

TEST(Strided, NamesACellThatTwoRanksPut) {
  const std::vector<Strided> apart{{{0}, {4}, {4}}, {{2}, {4}, {4}}};
  EXPECT_FALSE(find_common_cell(apart, 0));
  const std::vector<Strided> meeting{{{0}, {5}, {3}}, {{1}, {5}, {2}}};  // 0 3 6 9 12 and 1 3 5 7 9
  EXPECT_EQ("ranks 0 and 1 both put the cell [3:4]", find_common_cell(meeting, 1).value_or(""));
}

TEST(Strided, GoesThroughTheRecordsThatSomeRequestHas) {
  const std::vector<Strided> requests{{{1, 0}, {2, 2}, {4, 1}}, {{3, 2}, {1, 2}, {1, 1}}, {{0, 0}, {0, 0}, {1, 1}}};
  EXPECT_EQ(1, next_record(requests, 0));
  EXPECT_EQ(3, next_record(requests, 2));
  EXPECT_EQ(5, next_record(requests, 4));
  EXPECT_EQ(-1, next_record(requests, 6));
  EXPECT_EQ(0, most_parts(requests, 2));
  EXPECT_EQ(1, most_parts(requests, 3));
}

}  // namespace
}  // namespace sv
