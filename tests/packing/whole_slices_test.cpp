// Slices that a rank has in memory as they would be packed: the chunks of its own block, and no others.
#include <gtest/gtest.h>

#include <array>

#include "../plan/random_case.hpp"
#include "packing/patch_values.hpp"
#include "plan/chunk_grid.hpp"

namespace sv::test {
namespace {

constexpr int64_t nz = 3, ny = 8, nx = 10;
using Values = std::vector<float>;

/// Two ranks with half of the rows or columns each, in memory of their own, with guard cells or without.
struct TwoBlocks {
  Topology topology = Topology::uniform(2, 2);
  std::shared_ptr<const Layout> layout;
  Box own[2];
  int64_t halo = 0;

  explicit TwoBlocks(int divided) {
    for (int rank = 0; rank < 2; ++rank) {
      own[rank] = Box::whole({ny, nx});
      own[rank].count[divided] /= 2;
      own[rank].start[divided] = rank * own[rank].count[divided];
    }
    layout = std::make_shared<const Layout>(
        Index{ny, nx}, 2, std::vector<Patch>{{0, own[0], Index{0, 0}}, {1, own[1], Index{0, 0}}}, false);
  }
  Plan plan(const Index &chunk) const {
    Field field{Index{nz, ny, nx}, 1, sizeof(float), 0};
    field.chunk = chunk;
    Route route;
    route.name = "ranges";
    route.writers = {0, 1};
    return make_plan(layout, field, route, {topology, ListedExtents({{0, 100}, {100, 4096}}), 64, {1 << 20, 0}});
  }
};

/// How many elements of a rank's own sinks it has as a whole, each of which is its own value.
int64_t lent(const TwoBlocks &scene, const Plan &plan, int rank, Type file, ByteOrder order = ByteOrder::native) {
  const Box &own = scene.own[rank];
  const Index shape{nz, own.count[0] + 2 * scene.halo, own.count[1] + 2 * scene.halo};
  Values memory(static_cast<size_t>(shape.product()));
  const Index strides = contiguous_strides(shape, sizeof(float));
  MemoryView view{reinterpret_cast<std::byte *>(memory.data()), strides};
  view.first += scene.halo * (strides[1] + strides[2]);
  const Box block{Index{0, own.start[0], own.start[1]}, Index{nz, own.count[0], own.count[1]}};
  for (int64_t i = 0; i < block.elements(); ++i) {
    const Index cell = cell_at(block, i);
    std::byte *at = view.first;
    for (int d = 0; d < 3; ++d) at += (cell[d] - block.start[d]) * strides[d];
    *reinterpret_cast<float *>(at) = static_cast<float>(position(Box::whole({nz, ny, nx}), cell));
  }
  const PackRow row(plain_conversion(Type::float32, file, order));
  const BlockPieces<PackRow> pieces = pieces_of_block(plan.field, view, row);
  ArraySource source(plan, rank, pieces);
  int64_t elements = 0;
  for (int round = 0; round < plan.rounds; ++round)
    for (int sink = 0; sink < std::ssize(plan.stages[0].sinks); ++sink) {
      if (plan.stages[0].sinks[static_cast<size_t>(sink)].rank != rank) continue;
      const auto found = source.whole(sink, round);
      if (found.empty()) continue;
      const Share share = plan.share(0, sink, round);
      EXPECT_EQ(std::ssize(found), share.elements() * static_cast<int64_t>(sizeof(float)));
      const auto *const values = reinterpret_cast<const float *>(found.data());
      for (int64_t i = 0; i < share.elements(); ++i) {
        const Index cell = cell_at(share.box, share.first + i);
        EXPECT_EQ(values[i], static_cast<float>(position(Box::whole({nz, ny, nx}), cell)));
      }
      elements += share.elements();
    }
  return elements;
}

TEST(WholeSlices, AreTheChunksOfARanksOwnBlock) {
  const TwoBlocks rows(0), columns(1);
  constexpr int64_t half = nz * ny * nx / 2;
  for (int rank = 0; rank < 2; ++rank) {
    EXPECT_EQ(lent(rows, rows.plan({1, ny / 2, nx}), rank, Type::float32), half);
    EXPECT_EQ(lent(columns, columns.plan({1, ny, nx / 2}), rank, Type::float32), half);
  }
}

TEST(WholeSlices, AreNotWhatOthersHaveAPartOf) {
  const TwoBlocks rows(0), columns(1);
  for (int rank = 0; rank < 2; ++rank) {
    EXPECT_EQ(lent(rows, rows.plan({1, ny, nx}), rank, Type::float32), 0);
    EXPECT_EQ(lent(columns, columns.plan({nz, ny / 2, nx}), rank, Type::float32), 0);
  }
}

TEST(WholeSlices, AreNotWhatMustBeOrderedOrConverted) {
  TwoBlocks rows(0);
  const Plan plan = rows.plan({1, ny / 2, nx});
  EXPECT_EQ(lent(rows, plan, 0, Type::float64), 0);
  EXPECT_EQ(lent(rows, plan, 0, Type::float32, ByteOrder::big), 0);
  rows.halo = 1;
  EXPECT_EQ(lent(rows, plan, 0, Type::float32), 0);
  const Plan cut = rows.plan({1, 1, nx});  // single rows stand together all the same
  EXPECT_GT(lent(rows, cut, 0, Type::float32), 0);
}

}  // namespace
}  // namespace sv::test
