#include "plan/loads.hpp"
#include "plan/plan.hpp"
#include "prediction/strided_runs.hpp"

#include <gtest/gtest.h>

#include "plan/round_counts.hpp"
#include "random_case.hpp"

namespace sv::test {
namespace {

TEST(MostInWindow, BoundsEveryWindowAndGrows) {
  for (int seed = 0; seed < case_count(400); ++seed) {
    Dice dice(seed);
    Box whole, part;
    for (int64_t d = dice.roll(1, 3); d > 0; --d) {
      const int64_t length = dice.roll(1, 6), count = dice.roll(1, length);
      whole.start.push(0);
      whole.count.push(length);
      part.start.push(dice.roll(0, length - count));
      part.count.push(count);
    }
    int64_t smaller = 0;
    for (int64_t length = 0; length <= whole.elements(); ++length) {
      const int64_t bound = most_in_window(part, whole, length);
      ASSERT_GE(bound, smaller);
      ASSERT_LE(bound, std::min(length, part.elements()));
      smaller = bound;
      for (int64_t first = 0; first + length <= whole.elements(); ++first) {
        ASSERT_GE(bound, count_before(part, whole, first + length) - count_before(part, whole, first)) << seed;
      }
    }
    ASSERT_EQ(smaller, part.elements());
  }
}

Plan plan_of(const Field &field, int px, int py, int per_node, const RouteRequest &request, const Budget &budget) {
  const auto layout = block_layout(field.shape[field.shape.n - 1], field.shape[field.shape.n - 2], px, py);
  const Topology topology = Topology::uniform(px * py, per_node);
  const Route route = resolve(request, *layout, topology, {});
  const int64_t bytes = field.shape.product() * field.element_bytes;
  const ListedExtents extents({{0, field.offset_bytes}, {field.offset_bytes, field.offset_bytes + bytes}});
  return make_plan(layout, field, route, {topology, extents, 1 << 20, budget});
}

const Field quarter_degree{{50, 1080, 1440}, 1, 8, 12296};

TEST(Rounds, EndOnStripes) {
  const Plan plan = plan_of(quarter_degree, 4, 4, 16, {}, {16 << 20, 0});
  EXPECT_EQ(plan.round_elements, (16 << 20) / 8);
  EXPECT_EQ(plan.rounds, 38);
  for (int round = 0; round + 1 < plan.rounds; ++round) {
    EXPECT_EQ((quarter_degree.offset_bytes + 8 * plan.share(0, 0, round).last) % (1 << 20), 0) << "round " << round;
  }
}

TEST(Rounds, EndOnPagesWhereTheyAreSmallerThanStripes) {
  const Plan plan = plan_of(quarter_degree, 4, 4, 16, {}, {100000, 0});
  EXPECT_EQ(plan.round_elements * 8, 24 * 4096);
  EXPECT_EQ((quarter_degree.offset_bytes + 8 * plan.share(0, 0, 0).last) % 4096, 0);
}

TEST(Rounds, OneSufficesWhereAllFits) {
  const Field small{{1080, 1440}, 0, 4, 12296};
  const Plan plan = plan_of(small, 4, 4, 4, {}, {16 << 20, 16 << 20});
  EXPECT_EQ(plan.rounds, 1);
  EXPECT_EQ(plan.stages[0].sinks[0].phase_elements, 0);
}

TEST(Rounds, NothingToDoTakesNone) {
  const Plan plan = plan_of({{0, 6, 8}, 1, 8, 4096}, 2, 2, 2, {}, {1000, 1000});
  EXPECT_EQ(plan.rounds, 0);
}

TEST(Rounds, AWindowWithoutRoomIsAnError) {
  EXPECT_THROW(plan_of({{6, 8}, 0, 8, 4096}, 2, 2, 4, {"shared", 0, 0, {}}, {24, 0}), Error);
  EXPECT_NO_THROW(plan_of({{6, 8}, 0, 8, 4096}, 2, 2, 4, {"shared", 0, 0, {}}, {32, 0}));
}

TEST(Rounds, CountWhatTheLastStageTakesInOfEveryPatch) {
  for (int seed = 0; seed < case_count(300); ++seed) {
    const Case c = random_case(seed);
    const Route route = resolve(c.request, *c.layout, c.topology, c.surroundings);
    const Plan plan = make_plan(c.layout, c.field, route, {c.topology, ListedExtents(c.extents), 64, {5000, 5000}});
    if (plan.rounds == 0) continue;
    const int stage = static_cast<int>(plan.stages.size()) - 1;
    std::vector<CountedBox> boxes;
    std::vector<int64_t> most(plan.stages.back().sources->patches().size(), 0);
    for (const Patch &patch : plan.stages.back().sources->patches()) {
      const int sum = static_cast<int>(boxes.size()), node = c.topology.node_of[patch.rank];
      boxes.push_back({plan.extend(patch.box), sum, node});
      for (int round = 0; round < plan.rounds; ++round) {
        int64_t now = 0;
        for (int sink = 0; sink < static_cast<int>(plan.stages.back().sinks.size()); ++sink)
          if (c.topology.node_of[plan.stages.back().sinks[sink].rank] != node)
            now += plan.elements(stage, patch.box, sink, round);
        most[sum] = std::max(most[sum], now);
      }
    }
    RoundCounter counter(plan, c.topology, boxes);
    const auto counted = counter.most_in_rounds(1000000);
    ASSERT_TRUE(counted) << c.text;
    ASSERT_EQ(*counted, most) << c.text;
    EXPECT_EQ(counter.most_in_rounds(0).has_value(), boxes.empty()) << c.text;
    EXPECT_EQ(counter.most_in_rounds(1000000), counted) << c.text;
  }
}

// 1/36 degree: writers that begin in different rows leave room for rounds of megabytes, where the bound has 258 KB.
TEST(Rounds, OfManyRanksAreLargeAndFitTheWindow) {
  const Field field{{50, 6480, 12960}, 1, 8, 8192};
  const Budget budget{11182080, 11182080};
  const Topology topology = Topology::uniform(1440, 48);
  const RouteRequest one_per_node{"ranges", 0, 0, {Writers::Kind::per_node, 1}};
  const auto layout = block_layout(12960, 6480, 36, 40);
  const ListedExtents extents({{0, 8192}, {8192, 8192 + field.shape.product() * 8}});
  const Plan plan =
      make_plan(layout, field, resolve(one_per_node, *layout, topology, {}), {topology, extents, 1 << 20, budget});
  EXPECT_LE(plan.rounds, 300);
  EXPECT_GE(plan.round_elements * 8, 4 << 20);
  for (int node = 0; node < topology.nodes(); ++node) {
    const std::vector<Box> parts = boxes_of(plan, plan.stages[0], topology.ranks_of[node]);
    std::vector<int64_t> sent(plan.rounds, 0);
    for (const Sink &sink : plan.stages[0].sinks)
      if (topology.node_of[sink.rank] != node)
        for_each_flow(plan, sink, parts, [&](int round, int64_t elements) { sent[round] += 8 * elements; });
    EXPECT_LE(*std::max_element(sent.begin(), sent.end()), budget.outgoing) << "node " << node;
  }
}

TEST(StridedRuns, DescribeABlock) {
  const Plan plan = plan_of({{3, 4, 8}, 1, 8, 4096}, 2, 2, 4, {}, {1 << 20, 0});
  const auto runs = strided_runs(plan, 0, plan.stages[0].sources->patches()[3].box, 0, 0);
  ASSERT_EQ(runs.size(), 3U) << "one for each level";
  EXPECT_EQ(runs[1].position, 32 + 2 * 8 + 4);
  EXPECT_EQ(runs[1].length, 4);
  EXPECT_EQ(runs[1].stride, 8);
  EXPECT_EQ(runs[1].count, 2);
}

TEST(StridedRuns, CoverWhatThePlanSends) {
  for (int seed = 0; seed < case_count(500); ++seed) {
    const Case c = random_case(seed);
    const Route route = resolve(c.request, *c.layout, c.topology, c.surroundings);
    const Budget budget{5000, 5000};
    const Plan plan = make_plan(c.layout, c.field, route, {c.topology, ListedExtents(c.extents), 64, budget});
    for (const Patch &patch : c.layout->patches()) {
      for (int sink = 0; sink < static_cast<int>(plan.stages[0].sinks.size()); ++sink) {
        for (int round = 0; round < plan.rounds; ++round) {
          const Share share = plan.share(0, sink, round);
          std::vector<int64_t> wanted, got;
          RowCursor cursor(intersect(plan.extend(patch.box), share.box), share.box, share.first, share.last);
          for (Row row; cursor.next(row);) {
            for (int64_t i = 0; i < row.elements; ++i) wanted.push_back(row.position - share.first + i);
          }
          for (const StridedRun &run : strided_runs(plan, 0, patch.box, sink, round)) {
            for (int64_t i = 0; i < run.count * run.length; ++i) {
              got.push_back(run.position + i / run.length * run.stride + i % run.length);
            }
          }
          ASSERT_EQ(got, wanted) << c.text;
        }
      }
    }
  }
}

}  // namespace
}  // namespace sv::test
