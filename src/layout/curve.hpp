// A Hilbert curve on a cube around the sphere: positions that are close on the curve are close on the sphere. A model
// may have its points put into this order (sv_order_points_along_curve). Pure functions.
#pragma once

#include <cstdint>

namespace sv {

/// The number of cell (x, y) along Hilbert's curve (1891) on a square of 2^level × 2^level cells. It begins at (0, 0)
/// and ends at (2^level − 1, 0). `level`: 0 to 31.
int64_t hilbert_number(int level, int64_t x, int64_t y);

/// The number along the curve of the cell, of 2^curve_level × 2^curve_level on each face of the cube, in which a
/// position lies; cells have equal angles. The faces follow one another along a Petrie polygon of the cube, whose edges
/// are the ends of their curves: cells that follow one another have an edge in common everywhere, also from the last
/// to the first. `longitude`, `latitude`: degrees, finite.
int64_t curve_number(double longitude, double latitude);
constexpr int curve_level = 30;

}  // namespace sv
