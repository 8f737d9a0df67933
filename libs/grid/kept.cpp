#include "kept.hpp"

#include <algorithm>
#include <utility>

namespace sv::grid {

std::vector<int32_t> remove_land(const FullGrid &grid, const std::vector<float> &depths) {
  const auto is_ocean = [&](int64_t cell) { return cell >= 0 && depths[static_cast<size_t>(cell)] > 0; };
  std::vector<int32_t> kept;
  for (int64_t cell = 0; cell < grid.cells(); ++cell) {
    bool stays = is_ocean(cell);
    for (int edge = 0; edge < 4 && !stays; ++edge) stays = is_ocean(grid.neighbour(cell, edge));
    if (stays) kept.push_back(static_cast<int32_t>(cell));
  }
  return kept;
}

void number_along_curve(const FullGrid &grid, std::vector<int32_t> &full_index) {
  std::vector<std::pair<uint64_t, int32_t>> keyed;
  keyed.reserve(full_index.size());
  for (const int32_t cell : full_index) keyed.emplace_back(grid.curve_key(cell), cell);
  std::sort(keyed.begin(), keyed.end());
  for (size_t i = 0; i < keyed.size(); ++i) full_index[i] = keyed[i].second;
}

}  // namespace sv::grid
