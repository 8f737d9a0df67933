// Random fields, layouts, topologies and routes for property tests. Seeded: case n is the same everywhere.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <random>
#include <sstream>

#include "base/error.hpp"
#include "plan/plan.hpp"
#include "support/sanitized.hpp"

namespace sv::test {

/// How many cases a property test tries: the environment variable COUNT, else `standard`; the sanitizers, which look
/// for other things and take long, a quarter of it.
inline int case_count(int standard) {
  const char *text = std::getenv("COUNT");
  if (is_sanitized()) standard /= 4;
  return text != nullptr && std::atoi(text) > 0 ? std::atoi(text) : standard;
}

/// Extents in a list; bytes after an extent and before the next belong to no one.
class ListedExtents final : public ExtentMap {
 public:
  explicit ListedExtents(std::vector<Extent> extents) : extents_(std::move(extents)) {}
  Extent covering(int64_t offset_bytes) const override {
    const auto after = std::upper_bound(extents_.begin(), extents_.end(), offset_bytes,
                                        [](int64_t at, const Extent &extent) { return at < extent.begin; });
    return *(after - 1);
  }
  const std::vector<Extent> &all() const { return extents_; }

 private:
  std::vector<Extent> extents_;
};

struct Case {
  std::shared_ptr<const Layout> layout;
  Field field;
  Topology topology;
  RouteRequest request;
  Surroundings surroundings;
  Budget budget{};
  std::vector<Extent> extents;
  std::string text;  // all of it, for messages
};

class Dice {
 public:
  explicit Dice(int seed) : engine_(static_cast<unsigned>(seed)) {}
  int64_t roll(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(engine_); }
  bool chance(int percent) { return roll(1, 100) <= percent; }
  template <class T>
  T pick(std::initializer_list<T> values) {
    return *(values.begin() + roll(0, static_cast<int64_t>(values.size()) - 1));
  }

 private:
  std::mt19937 engine_;
};

/// Cuts [0, length) at random places into `parts`, some maybe empty; returns the bounds.
inline std::vector<int64_t> random_cuts(Dice &dice, int64_t length, int64_t parts) {
  std::vector<int64_t> cuts{0, length};
  for (int64_t i = 1; i < parts; ++i) cuts.push_back(dice.roll(0, length));
  std::sort(cuts.begin(), cuts.end());
  return cuts;
}

/// Blocks over a random process grid of 1 to 3 dimensions, last dimension fastest; perhaps shifted around periodic
/// boundaries, with holes, and with ranks at the end that own nothing.
inline std::shared_ptr<const Layout> random_layout(Dice &dice) {
  const int dims = static_cast<int>(dice.roll(1, 3));
  Index shape;
  std::vector<std::vector<int64_t>> cuts;
  std::vector<bool> periodic;
  std::vector<int64_t> shift;
  int ranks = 1;
  for (int d = 0; d < dims; ++d) {
    shape.push(dice.roll(1, 12));
    const int parts = static_cast<int>(dice.roll(1, 3));
    cuts.push_back(random_cuts(dice, shape[d], parts));
    periodic.push_back(dice.chance(30));
    shift.push_back(periodic[d] ? dice.roll(-12, 12) : 0);
    ranks *= parts;
  }
  const bool holes = dice.chance(30);
  std::vector<Patch> patches;
  for (int rank = 0; rank < ranks; ++rank) {
    BlockRequest block{Index(dims, 0), Index(dims, 0)};
    int rest = rank;
    for (int d = dims - 1; d >= 0; --d) {
      const int parts = static_cast<int>(cuts[d].size()) - 1, part = rest % parts;
      rest /= parts;
      block.start[d] = cuts[d][part] + shift[d];
      block.count[d] = cuts[d][part + 1] - cuts[d][part];
    }
    if (holes && dice.chance(30)) continue;
    for (const Patch &patch : patches_of(block, shape, periodic, rank)) patches.push_back(patch);
  }
  return std::make_shared<const Layout>(shape, ranks + static_cast<int>(dice.roll(0, 2)), patches, holes);
}

inline Topology random_topology(Dice &dice, int ranks) {
  if (dice.chance(30)) return Topology::uniform(ranks, ranks);
  if (dice.chance(50)) return Topology::uniform(ranks, static_cast<int>(dice.roll(1, 4)));
  std::vector<int> labels;
  for (int rank = 0; rank < ranks; ++rank) labels.push_back(static_cast<int>(dice.roll(7, 10)));
  return Topology::from_labels(labels);
}

inline RouteRequest random_request(Dice &dice, const Layout &layout) {
  RouteRequest request;
  request.name = dice.pick({"auto", "serial", "shared", "domains", "domains", "domains", "row", "column", "ranges"});
  const bool may_have_writers = request.name != "serial" && request.name != "shared";
  if (may_have_writers && dice.chance(60)) {
    request.writers.kind = dice.pick({Writers::Kind::count, Writers::Kind::per_node});
    request.writers.n =
        static_cast<int>(request.writers.kind == Writers::Kind::count ? dice.roll(1, layout.ranks()) : 1);
  }
  if (request.name == "domains" && dice.chance(70)) {
    const ProcessGrid grid = process_grid(layout);
    request.io_nx = static_cast<int>(dice.roll(1, grid.columns));
    request.io_ny = static_cast<int>(dice.roll(1, grid.rows));
  }
  return request;
}

/// A header, some fields and gaps before, the field, and one field after.
inline void place_field(Dice &dice, Case &c) {
  int64_t at = 4 * dice.roll(1, 300);
  c.extents.push_back({0, at});
  for (int64_t i = dice.roll(0, 3); i > 0; --i) {
    if (dice.chance(30)) at += 4 * dice.roll(1, 200);
    const int64_t bytes = 4 * dice.roll(1, 300);
    c.extents.push_back({at, at + bytes});
    at += bytes;
  }
  c.field.offset_bytes = at;
  const int64_t bytes = c.field.shape.product() * c.field.element_bytes;
  c.extents.push_back({at, at + bytes});
  c.extents.push_back({at + bytes, at + bytes + 1000});
}

inline std::string text_of(const Case &c, int seed) {
  std::ostringstream out;
  out << "case " << seed << ": grid " << text_of(Box::whole(c.layout->shape())) << ", " << c.layout->ranks()
      << " ranks on " << c.topology.nodes() << " nodes, patches";
  for (const Patch &patch : c.layout->patches()) out << ' ' << patch.rank << text_of(patch.box);
  out << ", field " << text_of(Box::whole(c.field.shape)) << " of " << c.field.element_bytes << " bytes at "
      << c.field.offset_bytes << ", route " << c.request.name << " io " << c.request.io_nx << "," << c.request.io_ny
      << " writers " << c.request.writers.n << ", stripe " << c.surroundings.stripe_bytes << ", budget "
      << c.budget.slices << "+" << c.budget.outgoing;
  return out.str();
}

/// Land by block, where it likes to be: scattered, in one corner, in whole columns and rows, or nearly everywhere.
inline std::vector<bool> random_mask(Dice &dice, int px, int py) {
  std::vector<bool> mask(static_cast<size_t>(px) * static_cast<size_t>(py), true);
  const int land_percent = dice.pick({0, 10, 40, 90});
  const int64_t corner_x = dice.roll(0, px), corner_y = dice.roll(0, py), column = dice.roll(0, 2 * px);
  const int64_t row = dice.roll(0, 2 * py);
  const bool corner = dice.chance(50);
  for (int block = 0; block < px * py; ++block) {
    const int x = block % px, y = block / px;
    const bool land = dice.chance(land_percent) || (corner && x < corner_x && y < corner_y) || x == column || y == row;
    mask[static_cast<size_t>(block)] = !land;
  }
  mask[static_cast<size_t>(dice.roll(0, px * py - 1))] = true;
  return mask;
}

/// Blocks of which some are land without a rank.
inline std::shared_ptr<const Layout> random_masked_layout(Dice &dice) {
  const int px = static_cast<int>(dice.roll(1, 5)), py = static_cast<int>(dice.roll(1, 5));
  const int64_t nx = dice.roll(px, 14), ny = dice.roll(py, 14);
  return masked_block_layout(nx, ny, px, py, random_mask(dice, px, py));
}

/// A case with this layout; the rest is rolled.
inline Case random_case_of(Dice &dice, int seed, std::shared_ptr<const Layout> layout) {
  Case c;
  c.layout = std::move(layout);
  c.topology = random_topology(dice, c.layout->ranks());
  for (int64_t i = dice.roll(0, 2); i > 0; --i) c.field.shape.push(dice.roll(1, 3));
  c.field.first_axis = c.field.shape.n;
  for (int d = 0; d < c.layout->shape().n; ++d) c.field.shape.push(c.layout->shape()[d]);
  for (int64_t i = dice.roll(0, 2); i > 0; --i) c.field.shape.push(dice.roll(1, 3));
  c.field.element_bytes = dice.pick({1, 2, 4, 8});
  place_field(dice, c);
  c.request = random_request(dice, *c.layout);
  c.surroundings.shared_file_system = dice.chance(50);
  c.surroundings.stripe_bytes = dice.pick({8, 24, 64, 256, 4096});
  c.surroundings.stripe_count = static_cast<int>(dice.roll(1, 3));
  c.budget.slices = dice.chance(15) ? 1 << 20 : dice.roll(1, 8) * dice.pick({16, 100, 1000});
  c.budget.outgoing = dice.chance(15) ? 1 << 20 : dice.roll(1, 8) * dice.pick({16, 100, 1000});
  c.text = text_of(c, seed);
  return c;
}

inline Case random_case(int seed) {
  Dice dice(seed);
  return random_case_of(dice, seed, random_layout(dice));
}

inline Case masked_case(int seed) {
  Dice dice(seed);
  return random_case_of(dice, seed, random_masked_layout(dice));
}

}  // namespace sv::test
