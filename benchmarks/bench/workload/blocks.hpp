// Fields that ranks divide in rows and columns, as grid models do.
#pragma once

#include "workload/workload.hpp"

namespace sv_bench {

/// Ranks in x and in y, x-fastest.
struct Ranks {
  int x, y;
};

/// A side of a level that has `scale` times fewer cells; at least 1.
int64_t scaled_length(int64_t length, double scale);
/// Throws std::invalid_argument where scaling left some ranks without cells.
void require_cells(int64_t rows, int64_t columns, const Ranks &ranks);

/// The block of one of the ranks, with `guards` cells around it in memory. Throws std::runtime_error. Local, as are all
/// here.
Grid block_grid(int64_t rows, int64_t columns, const Ranks &ranks, int rank, int64_t guards);
/// A put of the grid's block of a variable whose last dimensions are rows and columns: with all that stands before
/// them, but only one record.
Access block_access(const Schema &schema, int variable, const Grid &grid, int64_t record);

}  // namespace sv_bench
