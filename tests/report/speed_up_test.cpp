// Equations 1 to 4 of Huang et al. 2013, with the figures of its section 5.2.
#include "report/speed_up.hpp"

#include <gtest/gtest.h>

namespace sv {
namespace {

TEST(SpeedUp, IsBoundedByTheShareOfOutput) {
  // CICE: 178 s of computing, output 4.2 times as long: "the maximum speedup ... is 5.2".
  const SpeedUp cice = speed_up({.compute = 178, .write = 4.2 * 178, .wall = 204, .servers = 64});
  EXPECT_NEAR(cice.bound, 5.2, 1e-9);
  EXPECT_NEAR(cice.predicted, 178 * 5.2 / (4.2 * 178), 1e-9);  // 64 servers that need longer than the model
  EXPECT_EQ(cice.enough, 269);
}

TEST(SpeedUp, IsThatOfTheSlowerSide) {
  const SpeedUp hidden = speed_up({.compute = 10, .send = 1, .receive = 0.5, .write = 5, .wall = 11.5, .servers = 2});
  EXPECT_DOUBLE_EQ(hidden.predicted, 15.0 / 11);
  EXPECT_DOUBLE_EQ(hidden.achieved, 15.0 / 11.5);
  EXPECT_DOUBLE_EQ(hidden.bound, 1.5);
  EXPECT_EQ(hidden.enough, 1);
}

TEST(SpeedUp, OfNothingIsOne) {
  const SpeedUp none = speed_up({});
  EXPECT_DOUBLE_EQ(none.predicted, 1);
  EXPECT_DOUBLE_EQ(none.achieved, 1);
  EXPECT_DOUBLE_EQ(none.bound, 1);
}

}  // namespace
}  // namespace sv
