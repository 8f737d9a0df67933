#include "full_grid.hpp"

#include <cmath>
#include <limits>

#include "failure.hpp"

namespace sv::grid {

namespace {

/// Numbers of edges, four for each cell, are 32-bit in METIS and in the file.
constexpr int64_t most_cells = std::numeric_limits<int32_t>::max() / 4;

void check_size(int64_t planes, int64_t nx, int64_t ny) {
  if (ny > most_cells / planes / nx)
    throw Failure(SV_EINVAL, "the grid would have more than " + std::to_string(most_cells) + " cells",
                  "Make it coarser");
}

}  // namespace

Intervals::Intervals(double x)
    : first(static_cast<int64_t>(std::floor(x - 0.05))), last(static_cast<int64_t>(std::floor(x + 0.05))) {}

std::unique_ptr<FullGrid> make_full_grid(const sv_grid_request &request) {
  const auto nx = request.nx, ny = request.ny;
  if (request.kind == SV_GRID_LONLAT) {
    if (nx < 3 || ny < 2)
      throw Failure(SV_EINVAL, "a grid of " + std::to_string(nx) + " x " + std::to_string(ny) + " cells",
                    "A longitude-latitude grid has at least 3 x 2");
    check_size(1, nx, ny);
    return make_lonlat(nx, ny);
  }
  if (request.kind != SV_GRID_CUBED_SPHERE)
    throw Failure(SV_EINVAL, "there is no kind of grid " + std::to_string(request.kind),
                  "Use SV_GRID_LONLAT or SV_GRID_CUBED_SPHERE");
  if (nx < 1)
    throw Failure(SV_EINVAL, "a cubed sphere with " + std::to_string(nx) + " cells along an edge", "Use 1 or more");
  check_size(6, nx, nx);
  return make_cubed_sphere(nx);
}

}  // namespace sv::grid
