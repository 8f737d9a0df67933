// The stripes of new files: by the request, the storage, the size of a step and the number of writers.
#include "plan/stripe_choice.hpp"

#include <gtest/gtest.h>

namespace sv {
namespace {

using Count = StripeRequest::Count;
constexpr int64_t MiB = 1 << 20;

int automatic(const StripeFacts &facts) { return choose_stripes({.count = Count::automatic}, facts).count; }

TEST(StripeChoice, NothingIsAskedForWithoutARequestOrWhereNoneIsTaken) {
  EXPECT_FALSE(choose_stripes({}, {16, MiB, 100 * MiB, 8}).is_chosen());
  EXPECT_FALSE(choose_stripes({.count = Count::given, .n = 4}, {0, MiB, 100 * MiB, 8}).is_chosen());
}

TEST(StripeChoice, AutoFollowsTheStepTheWritersAndTheTargets) {
  EXPECT_EQ(automatic({64, MiB, 5 * MiB + 1, 8}), 6);  // a step fills five and begins a sixth
  EXPECT_EQ(automatic({64, MiB, 100 * MiB, 8}), 32);   // four for each writer
  EXPECT_EQ(automatic({16, MiB, 100 * MiB, 8}), 16);
  EXPECT_EQ(automatic({16, MiB, 0, 8}), 1);
}

TEST(StripeChoice, MoreThanTheTargetsNeedOverstriping) {
  const StripeFacts facts{8, MiB, 100 * MiB, 8};
  const FileStripes without = choose_stripes({Count::given, 20, false}, facts);
  const FileStripes with = choose_stripes({Count::given, 20, true}, facts);
  EXPECT_EQ(without.count, 8);
  EXPECT_FALSE(without.overstriped);
  EXPECT_EQ(with.count, 20);
  EXPECT_TRUE(with.overstriped);
  EXPECT_EQ(choose_stripes({.count = Count::all}, facts).count, 8);
  EXPECT_EQ(choose_stripes({.count = Count::all}, {5000, MiB, 0, 1}).count, most_stripes);
}

TEST(StripeChoice, TheUnitIsOneThatLustreTakes) {
  const auto unit = [](int64_t bytes) { return choose_stripes({.count = Count::all}, {4, bytes, 0, 1}).unit_bytes; };
  EXPECT_EQ(unit(4096), 65536);
  EXPECT_EQ(unit(65537), 131072);
  EXPECT_EQ(unit(int64_t{1} << 40), (int64_t{1} << 32) - 65536);
}

}  // namespace
}  // namespace sv
