// The topography or mask that a grid is made from: a variable on 1-D longitudes and latitudes, of any netCDF file.
#pragma once

#include <vector>

#include "run.hpp"
#include "sphere.hpp"
#include "sverdrup/grid.h"

namespace sv::grid {

/// On rank 0 only; empty elsewhere.
struct Source {
  std::vector<double> longitudes, latitudes;  // in degrees
  std::vector<float> depths;                  // in m, positive down, longitude fastest; not above 0: land

  size_t points() const { return depths.size(); }
  Place place(size_t point) const {
    return {longitudes[point % longitudes.size()], latitudes[point / longitudes.size()]};
  }
};

/// Collective. Missing values are land. Throws ReportedFailure.
Source read_source(Run &run, const sv_grid_request &request);

}  // namespace sv::grid
