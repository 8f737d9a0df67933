// Whether two files hold the same: netCDF files by their definitions and values, those of netCDF-4 also by their
// storage, others by their bytes.
#pragma once

#include <string>

namespace sv_run {

enum class Sameness { bytes, values, none };
struct Difference {
  Sameness same = Sameness::bytes;
  bool is_netcdf = false;  // at least one of them
  std::string what;        // differs, in words
};

/// `one`: as it is without Sverdrup.
Difference difference_of(const std::string &one, const std::string &other);

/// Whether it is a netCDF file of any format that can be read.
bool is_netcdf(const std::string &path);

}  // namespace sv_run
