// The cells that are kept, and their numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "full_grid.hpp"

namespace sv::grid {

/// The full indices, ascending, of ocean cells (a depth above 0) and of land cells with an edge neighbour that is
/// ocean.
std::vector<int32_t> remove_land(const FullGrid &grid, const std::vector<float> &depths);

/// Reorders them along the curve; `full_index[cell]` then is that of the cell's new number.
void number_along_curve(const FullGrid &grid, std::vector<int32_t> &full_index);

}  // namespace sv::grid
