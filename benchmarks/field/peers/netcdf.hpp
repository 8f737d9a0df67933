// Common code of the peers over netCDF-C.
#pragma once

#include <array>
#include <stdexcept>
#include <string>

#include "block.hpp"
#include "workload/netcdf_status.hpp"

namespace sv_bench {

/// Starts and counts in netCDF's type.
inline std::array<size_t, 3> sizes(const std::array<int64_t, 3> &values) {
  return {static_cast<size_t>(values[0]), static_cast<size_t>(values[1]), static_cast<size_t>(values[2])};
}

/// Defines the field with these lengths in a new file, without fill values. Returns the variable; define mode goes on.
inline int define_field(int file, const std::array<int64_t, 3> &shape, int type) {
  int dims[3], var = 0, before = 0;
  const std::array<size_t, 3> lengths = sizes(shape);
  check_netcdf(nc_set_fill(file, NC_NOFILL, &before), "set_fill");
  check_netcdf(nc_def_dim(file, "lev", lengths[0], &dims[0]), "def_dim");
  check_netcdf(nc_def_dim(file, "lat", lengths[1], &dims[1]), "def_dim");
  check_netcdf(nc_def_dim(file, "lon", lengths[2], &dims[2]), "def_dim");
  check_netcdf(nc_def_var(file, "field", type, 3, dims, &var), "def_var");
  return var;
}

}  // namespace sv_bench
