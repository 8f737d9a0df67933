// Plans whose sinks are chunks: every element arrives once, at the one owner of its chunk, within the window.
#include <gtest/gtest.h>

#include <map>

#include "packing/point_rows.hpp"
#include "plan/chunk_grid.hpp"
#include "simulation.hpp"

namespace sv::test {
namespace {

void give_chunks(Dice &dice, Case &c) {
  for (int d = 0; d < c.field.shape.n; ++d)
    c.field.chunk.push(dice.chance(30) ? c.field.shape[d] : dice.roll(1, c.field.shape[d] + 1));
  c.field.first_owner = static_cast<int>(dice.roll(0, 5));
  c.text += ", chunk " + text_of(Box::whole(c.field.chunk)) + ", first owner " + std::to_string(c.field.first_owner);
}

Route random_owners(Dice &dice, const Case &c) {
  Route route;
  route.name = "ranges";
  route.writers = spread_writers(static_cast<int>(dice.roll(1, c.topology.ranks())), c.topology);
  return route;
}

/// Which chunk a share is of; it must be of one alone.
int64_t chunk_of(const ChunkGrid &grid, const Field &field, const Share &share) {
  const Box whole = Box::whole(field.shape);
  for (int64_t number = 0; number < grid.chunks(); ++number) {
    const Box box = grid.box(number);
    int64_t inside = 0;
    for (int64_t at = share.first; at < share.last; ++at)
      if (meet(box, {cell_at(share.box, at), Index(whole.dims(), 1)})) ++inside;
    if (inside > 0) {
      EXPECT_EQ(inside, share.elements());
      return number;
    }
  }
  return -1;
}

/// Each chunk comes to one rank, and from its first element to its last.
void check_owners(const Case &c, const Plan &plan) {
  const ChunkGrid grid(plan.field);
  std::map<int64_t, int64_t> taken;  // elements, by chunk
  for (int round = 0; round < plan.rounds; ++round)
    for (int s = 0; s < std::ssize(plan.stages[0].sinks); ++s) {
      const Share share = plan.share(0, s, round);
      if (share.elements() == 0) continue;
      const int64_t number = chunk_of(grid, plan.field, share);
      ASSERT_GE(number, 0) << c.text;
      ASSERT_EQ(share.first - grid.share(number).first, taken[number]) << c.text;
      taken[number] += share.elements();
      const auto owner = static_cast<size_t>(grid.owner(number, static_cast<int>(plan.route.writers.size())));
      ASSERT_EQ(plan.stages[0].sinks[static_cast<size_t>(s)].rank, plan.route.writers[owner]) << c.text;
    }
  ASSERT_EQ(std::ssize(taken), grid.chunks()) << c.text;
  for (const auto &[number, elements] : taken) ASSERT_EQ(elements, grid.box(number).elements()) << c.text;
}

void check_plans(const std::function<Case(int)> &make, int count) {
  int tried = 0;
  for (int seed = 0; seed < case_count(count); ++seed) {
    Dice dice(seed + 77);
    Case c = make(seed);
    give_chunks(dice, c);
    const Route route = random_owners(dice, c);
    std::optional<Plan> plan;
    try {
      plan = make_plan(c.layout, c.field, route, {c.topology, ListedExtents(c.extents), 64, c.budget});
    } catch (const Error &error) {
      ASSERT_EQ(error.status(), Status::limit) << c.text;
      continue;
    }
    ++tried;
    Simulation simulation(c, *plan);
    simulation.run();
    simulation.check_file();
    simulation.check_traffic();
    check_owners(c, *plan);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(tried, case_count(count) / 2);
}

TEST(Chunks, OfBlocksArriveOnceAtTheirOwners) { check_plans(random_case, 600); }

TEST(Chunks, OfMaskedBlocksArriveOnceAtTheirOwners) { check_plans(masked_case, 200); }

TEST(Chunks, OfAllOwnersAreTheField) {
  for (int seed = 0; seed < case_count(300); ++seed) {
    Dice dice(seed);
    Case c = random_case(seed);
    give_chunks(dice, c);
    const ChunkGrid grid(c.field);
    const int owners = static_cast<int>(dice.roll(1, 7));
    const int64_t most = dice.roll(1, 40);
    std::vector<int> seen(static_cast<size_t>(c.field.shape.product()), 0);
    for (int owner = 0; owner < owners; ++owner)
      for (const Share &share : chunk_shares(c.field, owner, owners, most)) {
        ASSERT_LE(share.elements(), most) << c.text;
        ASSERT_EQ(grid.owner(chunk_of(grid, c.field, share), owners), owner) << c.text;
        for (int64_t at = share.first; at < share.last; ++at)
          ++seen[static_cast<size_t>(position(Box::whole(c.field.shape), cell_at(share.box, at)))];
      }
    for (const int times : seen) ASSERT_EQ(times, 1) << c.text;
  }
}

/// What CellRanges makes of the shares of points' plans is what they hold.
TEST(Chunks, OfPointsAreRangesOfCells) {
  int divided = 0;
  for (int seed = 0; seed < case_count(600); ++seed) {
    Dice dice(seed);
    Case c = random_case(seed);
    give_chunks(dice, c);
    const int dims = c.layout->shape().n, ranks = c.topology.ranks();
    std::vector<int64_t> owned(static_cast<size_t>(ranks), 0);
    owned[0] = c.layout->cells();
    const auto points =
        std::make_shared<const Layout>(c.layout->shape(), owned, std::make_shared<PointTable>(ranks), false);
    const ListedExtents extents(c.extents);
    const Conditions conditions{c.topology, extents, 64, {1 << 20, 1 << 20}};
    const Plan plan = make_plan(points, c.field, random_owners(dice, c), conditions);
    if (plan.single_dims > 0) ++divided;
    std::vector<int> seen(static_cast<size_t>(c.field.shape.product()), 0);
    const Box whole = Box::whole(c.field.shape);
    int64_t cells = 1, inner = 1, all = 0;
    for (int d = c.field.first_axis; d < c.field.shape.n; ++d)
      (d < c.field.first_axis + dims ? cells : inner) *= c.field.shape[d];
    for (int round = 0; round < plan.rounds; ++round)
      for (int s = 0; s < std::ssize(plan.stages[0].sinks); ++s) {
        const Share share = plan.share(0, s, round);
        CellRanges(c.field, dims, share).visit([&](const CellRange &range) {
          int64_t at = share.first + range.position;
          for (int64_t cell = range.first; cell < range.last; ++cell)
            for (int64_t i = 0; i < range.length; ++i, ++at, ++all) {
              ++seen.at(static_cast<size_t>(position(whole, cell_at(share.box, at))));
              ASSERT_EQ(position(whole, cell_at(share.box, at)), (range.outer * cells + cell) * inner + range.inner + i)
                  << c.text;
            }
        });
        if (share.elements() > 0) {
          ASSERT_GE(chunk_of(ChunkGrid(c.field), c.field, share), 0) << c.text;
        }
      }
    ASSERT_EQ(all, whole.elements()) << c.text;
    for (const int times : seen) ASSERT_EQ(times, 1) << c.text;
  }
  EXPECT_GT(divided, 20);
}

/// A quarter of a degree, 16 ranks of one node, chunks of a tile: all ranks have several to compress in every round.
TEST(Chunks, KeepAllOwnersBusy) {
  Field field{{50, 1080, 1440}, 1, 4, 0};
  field.chunk = {1, 270, 360};
  const Topology topology = Topology::uniform(16, 16);
  const ListedExtents extents({{0, 4096}});
  Route route;
  route.writers = spread_writers(16, topology);
  const Plan plan =
      make_plan(block_layout(1440, 1080, 4, 4), field, route, {topology, extents, 1 << 20, {32 << 20, 0}});
  EXPECT_EQ(plan.parts, 1);
  EXPECT_EQ(plan.stages[0].sinks.size(), 80u);
  EXPECT_EQ(plan.rounds, 10);
}

/// A chunk that is larger than the window comes in parts.
TEST(Chunks, LargerThanTheWindowComeInParts) {
  Field field{{50, 1080, 1440}, 1, 8, 0};
  field.chunk = {50, 1080, 1440};
  const Topology topology = Topology::uniform(4, 2);
  const ListedExtents extents({{0, 4096}});
  Route route;
  route.writers = {0};
  const Plan plan =
      make_plan(block_layout(1440, 1080, 2, 2), field, route, {topology, extents, 1 << 20, {8 << 20, 8 << 20}});
  EXPECT_EQ(plan.stages[0].sinks.size(), 1u);
  EXPECT_EQ(plan.parts, plan.rounds);
  EXPECT_EQ(plan.round_elements, 1 << 20);
}

}  // namespace
}  // namespace sv::test
