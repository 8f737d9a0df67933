// The errors of netCDF-C as exceptions.
#pragma once

#include <netcdf.h>

#include <stdexcept>
#include <string>

namespace sv_bench {

/// Throws std::runtime_error with the library's words.
inline void check_netcdf(int status, const char *call) {
  if (status != NC_NOERR) throw std::runtime_error(std::string("netCDF, ") + call + ": " + nc_strerror(status));
}

}  // namespace sv_bench
