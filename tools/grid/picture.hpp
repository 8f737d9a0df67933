// A picture of a partition.
#pragma once

#include <string>

namespace sv_tools {

/// Local. Reads the grid that sv-grid has written to `grid`, and draws into `picture` (SVG) who owns what, of `ranks`:
/// a map of longitudes and latitudes, or the unfolded cube. Throws std::runtime_error.
void draw_partition(const std::string &grid, int ranks, const std::string &picture);

}  // namespace sv_tools
