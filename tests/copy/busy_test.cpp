#include "support/busy.hpp"

#include <gtest/gtest.h>

namespace sv_tools {
namespace {

TEST(BusyCores, AreToldWhereRanksHaveToShareThem) {
  EXPECT_EQ(busy_cores(0.0, 2, 2), "");
  EXPECT_EQ(busy_cores(0.4, 2, 2), "");
  EXPECT_EQ(busy_cores(2.1, 2, 2), "other programs use 2 of 2 cores: one rank may be as fast");
  EXPECT_EQ(busy_cores(12.0, 2, 2), "other programs use 2 of 2 cores: one rank may be as fast");
  EXPECT_EQ(busy_cores(8.0, 2, 1), "");
  EXPECT_EQ(busy_cores(3.0, 64, 16), "");
}

}  // namespace
}  // namespace sv_tools
