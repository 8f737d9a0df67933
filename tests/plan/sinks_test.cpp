#include "plan/sinks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "plan/plan.hpp"
#include "random_case.hpp"

namespace sv::test {
namespace {

/// Compares the answers of random plans on their sinks with a search of all sinks.
TEST(Sinks, AreFoundByNodeAndByRank) {
  int of_blocks = 0, in_rounds = 0;
  for (int seed = 0; seed < case_count(400); ++seed) {
    Case c = seed % 3 == 0 ? masked_case(seed) : random_case(seed);
    if (seed % 2 == 0) c.request = RouteRequest{"shared", 0, 0, {}};
    std::optional<Plan> plan;
    try {
      const Route route = resolve(c.request, *c.layout, c.topology, c.surroundings);
      plan = make_plan(c.layout, c.field, route, {c.topology, ListedExtents(c.extents), 64, c.budget});
    } catch (const Error &) {
      continue;
    }
    const Sinks &sinks = plan->stages.back().sinks;
    std::vector<std::vector<int>> of_ranks(static_cast<size_t>(c.topology.ranks()));
    std::vector<std::vector<int>> of_nodes(static_cast<size_t>(c.topology.nodes()));
    int64_t most = 0;
    for (size_t s = 0; s < sinks.size(); ++s) {
      const auto rank = static_cast<size_t>(sinks.rank(s));
      of_ranks[rank].push_back(static_cast<int>(s));
      of_nodes[static_cast<size_t>(c.topology.node_of[rank])].push_back(static_cast<int>(s));
      most = std::max(most, sinks.elements(s));
    }
    EXPECT_EQ(sinks.most_elements(), most) << c.text;
    for (int node = 0; node < c.topology.nodes(); ++node) {
      const std::vector<int> &expected = of_nodes[static_cast<size_t>(node)];
      EXPECT_EQ(sinks.of_node(node), expected) << c.text;
      EXPECT_GE(sinks.most_of_node(node), std::ssize(expected)) << c.text;
    }
    if (!sinks.are_blocks()) continue;
    ++of_blocks;
    in_rounds += plan->rounds > 1 ? 1 : 0;
    for (int rank = 0; rank < c.topology.ranks(); ++rank)
      EXPECT_EQ(sinks.of_rank(rank), of_ranks[static_cast<size_t>(rank)]) << c.text;
    for (const std::vector<int> &here : of_nodes) {
      int64_t end = 0;
      for (const int s : here) {
        const auto sink = static_cast<size_t>(s);
        EXPECT_GE(sinks.window(sink), end) << c.text;
        end = sinks.window(sink) + std::min(sinks.elements(sink), plan->round_elements);
      }
      EXPECT_LE(end * c.field.element_bytes, c.budget.slices) << c.text;
    }
  }
  EXPECT_GT(of_blocks, 0);
  EXPECT_GT(in_rounds, 0);
}

}  // namespace
}  // namespace sv::test
