// The owners of cells in the tests: blocks of uneven sizes on some of the ranks, known to all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "check.hpp"

namespace svtest {

using Numbers = std::vector<int64_t>;  // slowest dimension first

inline int64_t product(const Numbers &numbers) {
  int64_t result = 1;
  for (const int64_t number : numbers) result *= number;
  return result;
}

/// Calls `visit` with every index of an array of this shape, in row-major order.
template <class Visit>
void for_each_index(const Numbers &shape, Visit visit) {
  if (product(shape) == 0) return;
  Numbers at(shape.size(), 0);
  for (;;) {
    visit(at);
    size_t d = shape.size();
    for (; d > 0; --d) {
      if (++at[d - 1] < shape[d - 1]) break;
      at[d - 1] = 0;
    }
    if (d == 0) return;
  }
}

inline int64_t linear(const Numbers &shape, const Numbers &at) {
  int64_t position = 0;
  for (size_t d = 0; d < shape.size(); ++d) position = position * shape[d] + at[d];
  return position;
}

struct Block {
  Numbers start, count;
};

/// A grid, and by rank the block and its halo (low and high of each dimension).
struct Grid {
  Numbers shape;
  std::vector<int> periodic;
  std::vector<Block> blocks;
  Numbers halo;
  bool holes = false;

  /// By cell: whether some rank owns it.
  std::vector<bool> owned() const {
    std::vector<bool> mask(static_cast<size_t>(product(shape)), false);
    Numbers cell;
    for (const Block &block : blocks)
      for_each_index(block.count, [&](const Numbers &at) {
        cell = at;
        for (size_t d = 0; d < at.size(); ++d) cell[d] = wrapped(d, block.start[d] + at[d]);
        mask[static_cast<size_t>(linear(shape, cell))] = true;
      });
    return mask;
  }
  int64_t wrapped(size_t d, int64_t index) const { return ((index % shape[d]) + shape[d]) % shape[d]; }
};

/// Where part `part` of `parts` begins; parts grow, none is empty where there are `parts` or more cells.
inline int64_t cut(int64_t length, int parts, int part) {
  const int64_t spare = length - parts;
  return spare >= 0 ? part + spare * part * part / (static_cast<int64_t>(parts) * parts) : length * part / parts;
}

/// px x py blocks of a 2-D grid on those of `ranks` ranks that are not in `idle`, x-fastest. `shift`: cells by which
/// all blocks are moved along (periodic) x.
inline std::vector<Block> blocks_2d(const Numbers &shape, int px, int py, int ranks, const std::vector<int> &idle,
                                    int64_t shift = 0) {
  std::vector<Block> blocks(static_cast<size_t>(ranks), Block{{0, 0}, {0, 0}});
  int next = 0;
  for (int rank = 0; rank < ranks && next < px * py; ++rank) {
    if (std::find(idle.begin(), idle.end(), rank) != idle.end()) continue;
    const int i = next % px, j = next / px;
    const int64_t y = cut(shape[0], py, j), x = cut(shape[1], px, i);
    blocks[static_cast<size_t>(rank)] = {{y, x + shift}, {cut(shape[0], py, j + 1) - y, cut(shape[1], px, i + 1) - x}};
    ++next;
  }
  return blocks;
}

/// Collective.
inline sv_decomp *declare(sv_context *io, const Grid &grid, int rank) {
  sv_decomp *decomp = nullptr;
  const Block &mine = grid.blocks[static_cast<size_t>(rank)];
  const sv_decomp_options options{grid.halo.empty() ? nullptr : grid.halo.data(),
                                  grid.periodic.empty() ? nullptr : grid.periodic.data(), grid.holes ? SV_MASKED : 0};
  SV_MUST(sv_def_decomp(io, static_cast<int>(grid.shape.size()), grid.shape.data(), mine.start.data(),
                        mine.count.data(), &options, &decomp));
  return decomp;
}

}  // namespace svtest
