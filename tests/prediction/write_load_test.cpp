// The load of a file's stripes and targets, counted by hand.
#include "prediction/write_load.hpp"
#include "plan/plan.hpp"

#include <gtest/gtest.h>

#include "../plan/random_case.hpp"

namespace sv::test {
namespace {

// 4 levels of 2 x 16 bytes from the start of a stripe of 64 bytes: a stripe has two levels. Two ranks, side by side.
WriteLoad load_of(const RouteRequest &request, const Striping &striping) {
  const Field field{{4, 2, 16}, 1, 1, 64};
  const auto layout = block_layout(16, 2, 2, 1);
  const Topology topology = Topology::uniform(2, 2);
  const ListedExtents extents({{0, 64}, {64, 192}});
  const Route route = resolve(request, *layout, topology, {});
  return write_load_of(make_plan(layout, field, route, {topology, extents, 64, {1000, 0}}), striping);
}

TEST(WriteLoad, OfRowsInTurns) {
  const WriteLoad load = load_of({"shared", 0, 0, {}}, {64, 2});
  ASSERT_EQ(load.targets.size(), 2U);
  for (const TargetLoad &target : load.targets) {
    EXPECT_EQ(target.requests, 8) << "4 rows of each rank, half a row each";
    EXPECT_EQ(target.bytes, 64);
    EXPECT_EQ(target.hand_overs, 8 - (16 + 16) / 8.0) << "n - sum of squares / n";
  }
  EXPECT_EQ(load.hand_overs, 8);
  EXPECT_EQ(load.least_hand_overs, 2);
  EXPECT_EQ(load.most_hand_overs, 14);
  EXPECT_EQ(load.most_serial_bytes, 64) << "a rank's writes are one after the other";
}

TEST(WriteLoad, OfOneWriterGoesToAllTargetsAtOnce) {
  const WriteLoad load = load_of({"serial", 0, 0, {}}, {64, 2});
  EXPECT_EQ(load.targets[0].requests, 1);
  EXPECT_EQ(load.targets[1].bytes, 64);
  EXPECT_EQ(load.most_serial_bytes, 64);
  EXPECT_EQ(load.hand_overs, 0);
}

TEST(WriteLoad, OfOwnersOfStripesHandsNothingOver) {
  const WriteLoad load = load_of({"ranges", 0, 0, {Writers::Kind::count, 2}}, {64, 1});
  EXPECT_EQ(load.targets[0].requests, 2);
  EXPECT_EQ(load.most_hand_overs, 0);
  EXPECT_GT(load_of({"ranges", 0, 0, {Writers::Kind::count, 2}}, {256, 1}).hand_overs, 0)
      << "stripes larger than owned";
}

}  // namespace
}  // namespace sv::test
