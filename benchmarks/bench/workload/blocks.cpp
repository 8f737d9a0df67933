#include "workload/blocks.hpp"

#include <sverdrup/sverdrup.h>

#include <stdexcept>

namespace sv_bench {

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
