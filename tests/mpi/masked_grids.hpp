// Grids whose all-land blocks have no rank.
#pragma once

#include <cstdlib>
#include <set>
#include <utility>

#include "support/random_case.hpp"

namespace svtest {

/// Of an environment variable.
inline int64_t number_of(const char *name, int64_t otherwise) {
  const char *text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoll(text);
}

/// Which of px x py blocks have a rank, ascending: scattered, or those farthest from a corner, which is land then.
inline std::vector<int> random_ocean(Random &random, int px, int py, int ranks) {
  std::vector<int> blocks;
  for (int block = 0; block < px * py; ++block) blocks.push_back(block);
  random.shuffle(blocks);
  const int corner = random.chance(50) ? 1 : 0;
  std::stable_sort(blocks.begin(), blocks.end(),
                   [&](int a, int b) { return corner * (a % px + a / px) > corner * (b % px + b / px); });
  blocks.resize(static_cast<size_t>(ranks));
  std::sort(blocks.begin(), blocks.end());
  return blocks;
}

/// Ranks number the blocks x-fastest, or at random; perhaps one owns nothing.
inline Grid masked_grid(Random &random, const Numbers &shape, int ranks) {
  Grid grid{shape, {}, {}, {}, true};
  const auto idle = ranks > 1 && random.chance(20) ? 1 : 0;
  const auto px = static_cast<int>(random.between(1, 5));
  const auto py = static_cast<int>(random.between((ranks + px - 1) / px, (ranks + px - 1) / px + 2));
  for (const int block : random_ocean(random, px, py, ranks - idle)) {
    const int i = block % px, j = block / px;
    const int64_t y = cut(shape[0], py, j), x = cut(shape[1], px, i);
    grid.blocks.push_back({{y, x}, {cut(shape[0], py, j + 1) - y, cut(shape[1], px, i + 1) - x}});
  }
  grid.blocks.resize(static_cast<size_t>(ranks), Block{{0, 0}, {0, 0}});
  if (random.chance(30)) random.shuffle(grid.blocks);
  if (random.chance(50)) grid.halo = {1, 2, 0, 2};
  return grid;
}

/// Columns and rows of the blocks that there are: the largest io_layout.
inline std::pair<int, int> columns_and_rows(const Grid &grid) {
  std::set<int64_t> x, y;
  for (const Block &block : grid.blocks) {
    if (product(block.count) == 0) continue;
    y.insert(block.start[0]);
    x.insert(block.start[1]);
  }
  return {static_cast<int>(x.size()), static_cast<int>(y.size())};
}

inline std::string io_layout(int64_t x, int64_t y) {
  return "io_layout=" + std::to_string(x) + "," + std::to_string(y);
}

}  // namespace svtest
