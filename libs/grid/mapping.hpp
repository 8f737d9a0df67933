// From the points of a source to the cells of a grid.
#pragma once

#include <vector>

#include "full_grid.hpp"
#include "source.hpp"

namespace sv::grid {

/// Of each cell of the full grid, in m: the mean depth of the points of the source in it that are wet, where these are
/// more than half; otherwise 0, land. Points on an edge or corner count in all cells there; a cell without points is as
/// the point nearest to its centre.
std::vector<float> map_depths(const Source &source, const FullGrid &grid);

}  // namespace sv::grid
