#include "plan/kept_plans.hpp"

#include <gtest/gtest.h>

#include "random_case.hpp"

namespace sv::test {
namespace {

std::shared_ptr<const Plan> plan_of(const Case &c, const Route &route) {
  try {
    return std::make_shared<const Plan>(make_plan(
        c.layout, c.field, route, {c.topology, ListedExtents(c.extents), c.surroundings.stripe_bytes, c.budget}));
  } catch (const Error &) {
    return nullptr;
  }
}

std::shared_ptr<const Plan> found_in(const KeptPlans &plans, const Case &c, const Layout &layout, const Route &route,
                                     const Field &field) {
  return plans.find(layout, route, field, ListedExtents(c.extents), c.surroundings.stripe_bytes);
}

std::shared_ptr<const Plan> found_in(const KeptPlans &plans, const Case &c, const Route &route) {
  return found_in(plans, c, *c.layout, route, c.field);
}

void expect_same(const Plan &kept, const Plan &made, const std::string &text) {
  ASSERT_EQ(kept.rounds, made.rounds) << text;
  ASSERT_EQ(kept.stages.size(), made.stages.size()) << text;
  const Sinks &sinks = made.stages.front().sinks;
  ASSERT_EQ(kept.stages.front().sinks.size(), sinks.size()) << text;
  for (int s = 0; s < std::ssize(sinks); ++s) {
    EXPECT_EQ(kept.stages.front().sinks.rank(static_cast<size_t>(s)), sinks.rank(static_cast<size_t>(s))) << text;
    for (int round = 0; round < made.rounds; ++round) {
      const Share one = kept.share(0, s, round), other = made.share(0, s, round);
      EXPECT_EQ(one.box, other.box) << text;
      EXPECT_EQ(one.first, other.first) << text;
      EXPECT_EQ(one.last, other.last) << text;
      EXPECT_EQ(kept.slice_begin(0, s, round), made.slice_begin(0, s, round)) << text;
    }
  }
}

/// A kept plan is equal to a new one for the field at any other place of the file.
TEST(KeptPlans, AreThoseOfTheFieldAtAnyPlace) {
  int kept = 0, not_kept = 0;
  for (int seed = 0; seed < case_count(2000); ++seed) {
    Case c = seed % 3 == 0 ? masked_case(seed) : random_case(seed);
    Dice dice(seed + 1);
    if (dice.chance(50)) c.request = RouteRequest{dice.pick({"serial", "shared"}), 0, 0, {}};
    if (dice.chance(50)) c.budget = {1 << 20, 1 << 20};
    std::shared_ptr<const Route> route;
    try {
      route = std::make_shared<const Route>(resolve(c.request, *c.layout, c.topology, c.surroundings));
    } catch (const Error &) {
      continue;
    }
    if (!route->self && dice.chance(20)) {
      for (int d = 0; d < c.field.shape.n; ++d) c.field.chunk.push(dice.roll(1, c.field.shape[d]));
      c.field.first_owner = static_cast<int>(dice.roll(0, 3));
    }
    const auto plan = plan_of(c, *route);
    if (plan == nullptr) continue;
    KeptPlans plans;
    EXPECT_EQ(found_in(plans, c, *route), nullptr);
    plans.keep(c.layout, route, plan);
    c.extents.clear();
    place_field(dice, c);
    const auto found = found_in(plans, c, *route);
    ++(found == nullptr ? not_kept : kept);
    if (found == nullptr) continue;
    const auto made = plan_of(c, *route);
    ASSERT_NE(made, nullptr) << c.text;
    expect_same(*found, *made, c.text);
    plans.forget();
    EXPECT_EQ(found_in(plans, c, *route), nullptr);
    plans.keep(c.layout, route, made);
    EXPECT_EQ(found_in(plans, c, *route), made);
  }
  EXPECT_GT(kept, case_count(2000) / 20);
  EXPECT_GT(not_kept, 0);
}

/// Of owners of stripes: records of a kilobyte are their writer's whose stripe they begin in.
TEST(KeptPlans, AreOfTheOwnerOfThePlace) {
  Case c;
  c.layout = block_layout(16, 8, 2, 2);
  c.field = {{8, 16}, 0, 8, 0};
  c.topology = Topology::uniform(4, 2);
  c.surroundings = {.shared_file_system = true, .stripe_bytes = 4096};
  c.budget = {1 << 20, 1 << 20};
  constexpr int records = 64;
  for (int64_t begin = 0, r = 0; r <= records; ++r, begin += 1024) c.extents.push_back({begin, begin + 1024});
  const auto route = std::make_shared<const Route>(resolve({}, *c.layout, c.topology, c.surroundings));
  ASSERT_EQ(route->writers.size(), 2U);
  KeptPlans plans;
  std::vector<int> made(2);  // of each writer
  for (int record = 1; record <= records; ++record) {
    c.field.offset_bytes = 1024 * record;
    auto plan = found_in(plans, c, *route);
    if (plan == nullptr) {
      plan = plan_of(c, *route);
      plans.keep(c.layout, route, plan);
      ++made[plan->stages.front().sinks.rank(0) == route->writers[0] ? 0 : 1];
    }
    expect_same(*plan, *plan_of(c, *route), "record " + std::to_string(record));
  }
  EXPECT_EQ(made, (std::vector{1, 1}));
}

TEST(KeptPlans, AreNotThoseOfOtherFields) {
  Case c = random_case(1);
  c.request = RouteRequest{"serial", 0, 0, {}};
  c.budget = {1 << 20, 1 << 20};
  const auto route = std::make_shared<const Route>(resolve(c.request, *c.layout, c.topology, c.surroundings));
  KeptPlans plans;
  plans.keep(c.layout, route, plan_of(c, *route));
  ASSERT_NE(found_in(plans, c, *route), nullptr);
  Field wider = c.field, longer = c.field, elsewhere = c.field, chunked = c.field, owned = c.field;
  wider.element_bytes *= 2;
  longer.shape[0] += 1;
  elsewhere.first_axis += 1;
  for (int d = 0; d < chunked.shape.n; ++d) chunked.chunk.push(1);
  owned.first_owner += 1;
  for (const Field &other : {wider, longer, elsewhere, chunked, owned})
    EXPECT_EQ(found_in(plans, c, *c.layout, *route, other), nullptr);
  EXPECT_EQ(found_in(plans, c, Route(*route)), nullptr);
  EXPECT_EQ(found_in(plans, c, Layout(*c.layout), *route, c.field), nullptr);
  for (int more = 0; more < 100; ++more)
    plans.keep(c.layout, std::make_shared<const Route>(*route), plan_of(c, *route));
  EXPECT_EQ(found_in(plans, c, *route), nullptr);  // the last ones alone are kept
}

}  // namespace
}  // namespace sv::test
