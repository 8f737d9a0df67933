#include "layout/layout.hpp"

#include <algorithm>
#include <utility>

#include "base/arithmetic.hpp"
#include "base/error.hpp"

namespace sv {

namespace {

/// A stretch of one dimension that a block covers, and where it begins inside the block.
struct Stretch {
  int64_t start, count, local;
};

struct Stretches {
  int n = 0;
  Stretch of[2];
};

/// Cuts [start, start + count) at the end of a periodic dimension of `length` cells.
Stretches cut(int64_t start, int64_t count, int64_t length, bool periodic) {
  if (!periodic) return {1, {{start, count, 0}, {}}};
  const int64_t first = ((start % length) + length) % length;
  const int64_t head = std::min(count, length - first);
  if (head == count) return {1, {{first, count, 0}, {}}};
  return {2, {{first, head, 0}, {0, count - head, head}}};
}

std::string text_of(const Index &index) {
  std::string text;
  for (int d = 0; d < index.n; ++d) text += (d > 0 ? ", " : "") + std::to_string(index[d]);
  return "(" + text + ")";
}

void check_block(const BlockRequest &block, const Index &shape, const std::vector<bool> &periodic, int rank) {
  const std::string text = "the block of " + text_of(block.count) + " cells at " + text_of(block.start);
  if (block.start.n != shape.n || block.count.n != shape.n) {
    throw Error(Status::layout, text + " has " + std::to_string(block.count.n) + " dimensions where the grid has " +
                                    std::to_string(shape.n))
        .on_rank(rank);
  }
  bool empty = false;
  for (int d = 0; d < shape.n; ++d) {
    if (block.count[d] < 0) {
      throw Error(Status::layout, text + " has a negative count in dimension " + std::to_string(d),
                  "A rank that owns nothing has a count of 0")
          .on_rank(rank);
    }
    empty = empty || block.count[d] == 0;
  }
  for (int d = 0; d < shape.n && !empty; ++d) {
    const bool wraps = d < static_cast<int>(periodic.size()) && periodic[d];
    const bool inside = wraps || (block.start[d] >= 0 && block.start[d] <= shape[d] - block.count[d]);
    if (inside && block.count[d] <= shape[d]) continue;
    throw Error(Status::layout,
                text + " leaves the grid " + text_of(Box::whole(shape)) + " in dimension " + std::to_string(d),
                "Give the start (from 0) and count of the cells that the rank owns, without halo")
        .on_rank(rank);
  }
}

}  // namespace

std::vector<Patch> patches_of(const BlockRequest &block, const Index &shape, const std::vector<bool> &periodic,
                              int rank) {
  check_block(block, shape, periodic, rank);
  std::vector<Patch> patches;
  if (Box{block.start, block.count}.empty()) return patches;
  patches.push_back({rank, {Index(shape.n, 0), Index(shape.n, 0)}, Index(shape.n, 0)});
  for (int d = 0; d < shape.n; ++d) {
    const bool wraps = d < static_cast<int>(periodic.size()) && periodic[d];
    const Stretches stretches = cut(block.start[d], block.count[d], shape[d], wraps);
    std::vector<Patch> longer;
    for (const Patch &patch : patches) {
      for (int i = 0; i < stretches.n; ++i) {
        longer.push_back(patch);
        longer.back().box.start[d] = stretches.of[i].start;
        longer.back().box.count[d] = stretches.of[i].count;
        longer.back().local[d] = stretches.of[i].local;
      }
    }
    patches = std::move(longer);
  }
  return patches;
}

void check_grid(const Index &shape) {
  int64_t cells = 1;
  for (int d = 0; d < shape.n; ++d) {
    if (shape[d] < 1)
      throw Error(Status::invalid,
                  "the grid has a length of " + std::to_string(shape[d]) + " in dimension " + std::to_string(d),
                  "Lengths are 1 or more");
    if (!multiply_into(cells, shape[d]))
      throw Error(Status::limit, "the grid has more than 2^63 cells", "Give the lengths of its dimensions");
  }
}

namespace {

LayoutTable table_of(const Index &shape, int ranks, const std::vector<Patch> &patches, bool holes) {
  TableNumbers numbers(shape, ranks, patches.size());
  for (const Patch &patch : patches) numbers.add(patch);
  return LayoutTable::of_its_own(numbers.numbers(holes));
}

}  // namespace

Layout::Layout(const Index &shape, int ranks, const std::vector<Patch> &patches, bool holes_declared)
    : Layout(shape, table_of(shape, ranks, patches, holes_declared), holes_declared) {}

Layout::Layout(const Index &shape, std::vector<int64_t> owned, std::shared_ptr<PointTable> points, bool holes_declared)
    : Layout(shape, LayoutTable::of_its_own(TableNumbers(shape, std::move(owned)).numbers(false)), holes_declared) {
  points_ = std::move(points);
}

int64_t Layout::cells() const { return shape_.product(); }

int64_t Layout::cells_of_ranks(std::span<const int> ranks) const {
  int64_t cells = 0;
  for (const int rank : ranks) cells += cells_of_rank(rank);
  return cells;
}

std::optional<std::string> find_overlap(const Layout &layout, int rank) {
  const BoxList &boxes = layout.table().boxes();
  for (const Patch &mine : layout.patches_of_rank(rank)) {
    for (size_t i = 0; i < boxes.size(); ++i) {
      if (i == mine.number || !boxes.meets(i, mine.box)) continue;
      const int owner = layout.table().owner(i);
      const std::string whose = owner == rank ? "rank " + std::to_string(rank) + " owns twice"
                                              : "ranks " + std::to_string(std::min(rank, owner)) + " and " +
                                                    std::to_string(std::max(rank, owner)) + " both own";
      return whose + " the cells " + text_of(intersect(mine.box, boxes[i])) + " of the grid " +
             text_of(Box::whole(layout.shape()));
    }
  }
  return std::nullopt;
}

std::optional<std::string> find_gap(const Layout &layout) {
  const BoxList &boxes = layout.table().boxes();
  const std::vector<Box> gaps = uncovered(layout.shape(), std::vector<Box>(boxes.begin(), boxes.end()));
  if (gaps.empty()) return std::nullopt;
  return "no rank owns the cells " + text_of(gaps.front()) + " of the grid " + text_of(Box::whole(layout.shape()));
}

Part part_of(int64_t length, int64_t parts, int64_t part) {
  const int64_t each = length / parts, longer = length % parts;
  return {part * each + std::min(part, longer), each + (part < longer ? 1 : 0)};
}

std::shared_ptr<const Layout> block_layout(int64_t nx, int64_t ny, int px, int py) {
  const Index shape{ny, nx};
  TableNumbers numbers(shape, px * py, static_cast<size_t>(px) * py);
  for (int rank = 0; rank < px * py; ++rank) {
    const Part x = part_of(nx, px, rank % px), y = part_of(ny, py, rank / px);
    const Box box{{y.start, x.start}, {y.count, x.count}};
    if (!box.empty()) numbers.add({rank, box, Index(2, 0)});
  }
  return std::make_shared<const Layout>(shape, LayoutTable::of_its_own(numbers.numbers(false)), false);
}

std::shared_ptr<const Layout> masked_block_layout(int64_t nx, int64_t ny, int px, int py,
                                                  const std::vector<bool> &mask) {
  const std::string blocks = std::to_string(px) + " x " + std::to_string(py) + " blocks";
  if (px < 1 || py < 1 || static_cast<int64_t>(mask.size()) != static_cast<int64_t>(px) * py) {
    throw Error(Status::invalid, "a mask of " + std::to_string(mask.size()) + " values does not suit " + blocks,
                "Give a value for each block, x-fastest: 1 where it has a rank, 0 where it is all land");
  }
  const auto ranks = static_cast<int>(std::count(mask.begin(), mask.end(), true));
  if (ranks == 0) {
    throw Error(Status::invalid, "the mask leaves none of " + blocks, "Let at least one block have a rank");
  }
  const Index shape{ny, nx};
  TableNumbers numbers(shape, ranks, static_cast<size_t>(ranks));
  int rank = 0;
  for (int block = 0; block < px * py; ++block) {
    if (!mask[static_cast<size_t>(block)]) continue;
    const Part x = part_of(nx, px, block % px), y = part_of(ny, py, block / px);
    const Box box{{y.start, x.start}, {y.count, x.count}};
    if (!box.empty()) numbers.add({rank, box, Index(2, 0)});
    ++rank;
  }
  return std::make_shared<const Layout>(shape, LayoutTable::of_its_own(numbers.numbers(true)), true);
}

}  // namespace sv
