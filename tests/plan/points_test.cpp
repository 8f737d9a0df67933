// Plans of points: with every division among writers, every element is written once.
#include <gtest/gtest.h>

#include <random>

#include "base/error.hpp"
#include "plan/gathering.hpp"
#include "plan/plan.hpp"
#include "random_case.hpp"

namespace sv::test {
namespace {

std::shared_ptr<const Layout> points_of(std::mt19937 &engine, const Index &grid, int ranks) {
  std::vector<int64_t> owned(static_cast<size_t>(ranks), 0);
  for (int64_t cell = 0; cell < grid.product(); ++cell) ++owned[engine() % owned.size()];
  return std::make_shared<const Layout>(grid, owned, std::make_shared<PointTable>(ranks), false);
}

TEST(PointPlan, CoversTheFieldOnce) {
  std::mt19937 engine(1);
  const auto roll = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(engine() % static_cast<uint64_t>(high - low + 1));
  };
  for (int i = 0; i < 600; ++i) {
    const auto ranks = static_cast<int>(roll(1, 9));
    Index grid;
    for (int64_t d = roll(1, 2); d > 0; --d) grid.push(roll(1, 20));
    Field field;
    for (int64_t d = roll(0, 2); d > 0; --d) field.shape.push(roll(1, 6));
    field.first_axis = field.shape.n;
    for (int d = 0; d < grid.n; ++d) field.shape.push(grid[d]);
    if (roll(0, 2) == 0) field.shape.push(roll(1, 4));
    field.element_bytes = 8;
    field.offset_bytes = 64;
    const Topology topology = Topology::uniform(ranks, static_cast<int>(roll(1, ranks)));
    const int64_t elements = field.shape.product();
    const ListedExtents extents({{0, 64}, {64, 64 + 8 * elements}});
    Route route{"ranges", 0, 0, false, spread_writers(static_cast<int>(roll(1, ranks)), topology), {}};
    const auto writers = static_cast<int64_t>(route.writers.size());
    const auto primaries = static_cast<int>(roll(0, writers));
    route = with_points(route, {static_cast<Partition>(roll(0, 2)), primaries});
    const Plan plan = make_plan(points_of(engine, grid, ranks), field, route,
                                {topology, extents, 128, {roll(64, 4000) * writers, 4000 * writers}});
    ASSERT_EQ(plan.stages.size(), primaries > 0 ? 2u : 1u);
    std::vector<int> written(static_cast<size_t>(elements), 0);
    const int last = static_cast<int>(plan.stages.size()) - 1;
    for (int round = 0; round < plan.rounds; ++round)
      for (int sink = 0; sink < std::ssize(plan.stages.back().sinks); ++sink) {
        const Share share = plan.share(last, sink, round);
        for (int64_t at = share.first; at < share.last; ++at)
          ++written[static_cast<size_t>(position(Box::whole(field.shape), cell_at(share.box, at)))];
      }
    for (const int times : written) ASSERT_EQ(times, 1);
    std::vector<int> senders(static_cast<size_t>(ranks), 0);
    for (const std::vector<int> &group : plan.groups)
      for (const int rank : group) ++senders[static_cast<size_t>(rank)];
    for (const int times : senders) ASSERT_EQ(times, primaries > 0 ? 1 : 0);
  }
}

/// What primaries among servers gather fits, is all that ranks have, and is written by the owners of the whole field.
TEST(PointPlan, GathersAndScattersEverythingOnce) {
  std::mt19937 engine(3);
  for (int64_t levels = 1; levels < 40; ++levels) {
    const Field field{{levels, 50, 2}, 1, 8, 64};
    const auto layout = points_of(engine, {50}, 6);
    const Topology six = Topology::uniform(6, static_cast<int>(1 + levels % 6)), servers = Topology::uniform(3, 2);
    const ListedExtents extents({{0, 64}, {64, 64 + 800 * levels}});
    const Route from{"servers", 0, 0, false, {1, 3, 5}, {}, Partition::ranges, {1, 3}};
    const Route to{"servers", 0, 0, false, {0, 1, 2}, {}, Partition::ranges, {0, 1}};
    const auto plan = gathering_plan(layout, field, from, six, {3000, 5000});
    ASSERT_TRUE(plan && plan->gathers());
    std::vector<OwnedRange> owners = owner_ranges(field, extents, 3, 128);
    int64_t gathered = 0, written = 0;
    for (int round = 0; round < plan->rounds; ++round) {
      for (const int sink : {0, 1}) {
        EXPECT_LE(gathered_bytes(*plan, sink, round), 3000);
        gathered += gathered_bytes(*plan, sink, round);
      }
      const Plan scattering = scattering_plan(*plan, round, to, {servers, extents, 128, {4096, 4096}});
      const int64_t before = plan->share(0, 0, round).first;
      for (int step = 0; step < scattering.rounds; ++step)
        for (int sink = 0; sink < std::ssize(scattering.stages.back().sinks); ++sink) {
          const Share share = scattering.share(1, sink, step);
          written += share.elements();
          if (share.elements() == 0) continue;
          const auto owner = std::find_if(owners.begin(), owners.end(),
                                          [&](const OwnedRange &each) { return before + share.first < each.last; });
          EXPECT_EQ(owner->writer, scattering.stages.back().sinks[static_cast<size_t>(sink)].rank);
          EXPECT_LE(before + share.last, owner->last);
        }
    }
    EXPECT_EQ(gathered, 800 * levels);
    EXPECT_EQ(written, 100 * levels);
    EXPECT_FALSE(gathering_plan(layout, field, from, six, {300, 5000}));
  }
}

TEST(PointPlan, RefusesWhatMakesNoSense) {
  const Route two{"ranges", 0, 0, false, {0, 1}, {}};
  EXPECT_THROW(with_points(two, {Partition::ranges, 3}), Error);
  EXPECT_THROW(with_points({"domains", 2, 1, true, {}, {}}, {}), Error);
  EXPECT_THROW(with_points({"shared", 0, 0, true, {}, {}}, {Partition::ranges, 1}), Error);
  EXPECT_EQ(with_points(two, {Partition::levels, 1}).primaries, std::vector<int>{0});
}

}  // namespace
}  // namespace sv::test
