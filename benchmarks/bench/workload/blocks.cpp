#include "workload/blocks.hpp"

#include <sverdrup/sverdrup.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sv_bench {

int64_t scaled_length(int64_t length, double scale) {
  return std::max<int64_t>(1, std::llround(static_cast<double>(length) / std::sqrt(scale)));
}

void require_cells(int64_t rows, int64_t columns, const Ranks &ranks) {
  const auto by = [](int64_t x, int64_t y) { return std::to_string(x) + "x" + std::to_string(y); };
  if (rows < ranks.y || columns < ranks.x)
    throw std::invalid_argument("--scale leaves fewer cells than ranks: " + by(columns, rows) + " for " +
                                by(ranks.x, ranks.y));
}

Grid block_grid(int64_t rows, int64_t columns, const Ranks &ranks, int rank, int64_t guards) {
  Grid grid{{rows, columns}, {0, 0}, {0, 0}, {}};
  if (guards > 0) grid.halo.assign(4, guards);
  const int status = sv_block(rows, ranks.y, rank / ranks.x, &grid.start[0], &grid.count[0]) |
                     sv_block(columns, ranks.x, rank % ranks.x, &grid.start[1], &grid.count[1]);
  if (status != SV_OK) throw std::runtime_error(std::string("sv_block: ") + sv_message());
  return grid;
}

Access block_access(const Schema &schema, int variable, const Grid &grid, int64_t record) {
  const Variable &what = schema.variables[static_cast<size_t>(variable)];
  const std::vector<int64_t> lengths = schema.shape(what);
  Region region;
  Frame frame;
  const auto add = [&](int64_t start, int64_t count, int64_t low, int64_t high) {
    region.start.push_back(start);
    region.count.push_back(count);
    frame.start.push_back(low);
    frame.shape.push_back(low + count + high);
  };
  if (schema.is_record(what)) add(record, 1, 0, 0);
  for (size_t d = 0; d + 2 < lengths.size(); ++d) add(0, lengths[d], 0, 0);
  for (size_t d = 0; d < 2; ++d) {
    const int64_t low = grid.halo.empty() ? 0 : grid.halo[2 * d], high = grid.halo.empty() ? 0 : grid.halo[2 * d + 1];
    add(grid.start[d], grid.count[d], low, high);
  }
  if (grid.halo.empty()) return {variable, {region}, {}};
  return {variable, {region}, frame};
}

}  // namespace sv_bench
