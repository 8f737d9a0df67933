// The plan's promise, checked by carrying it out for all ranks in memory: every element arrives exactly once, in its
// place, and nothing exceeds its budget. (docs/adr/0001-the-plan-is-a-value.md)
#include <gtest/gtest.h>

#include "simulation.hpp"

namespace sv::test {
namespace {

TEST(Arrival, EveryElementOnce) {
  const int count = case_count(3000);
  int planned = 0;
  for (int seed = 0; seed < count && !::testing::Test::HasFailure(); ++seed) {
    const Case c = random_case(seed);
    const std::optional<Plan> plan = plan_of(c);
    if (!plan) continue;
    ++planned;
    Simulation simulation(c, *plan);
    simulation.run();
    simulation.check_file();
    simulation.check_traffic();
  }
  EXPECT_GT(planned, count * 3 / 4) << "most random cases must be valid";
}

TEST(Arrival, NoStripeHasTwoOwners) {
  const int count = case_count(3000);
  for (int seed = 0; seed < count && !::testing::Test::HasFailure(); ++seed) {
    const Case c = random_case(seed);
    const std::optional<Plan> plan = plan_of(c);
    if (!plan || plan->route.self) continue;
    std::map<int64_t, int> owner_of_stripe;
    for (const Sink &sink : plan->stages.back().sinks) {
      for (int64_t at = sink.territory.first; at < sink.territory.last; ++at) {
        const int64_t stripe = (c.field.offset_bytes + at * c.field.element_bytes) / c.surroundings.stripe_bytes;
        ASSERT_EQ(owner_of_stripe.try_emplace(stripe, sink.rank).first->second, sink.rank) << c.text;
      }
    }
  }
}

}  // namespace
}  // namespace sv::test
