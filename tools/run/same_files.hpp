// Whether two files hold the same: netCDF files by their definitions and values, others by their bytes.
#pragma once

#include <string>

namespace sv_run {

enum class Sameness { bytes, values, none };
struct Difference {
  Sameness same = Sameness::bytes;
  bool is_netcdf = false;  // CDF-1, CDF-2 or CDF-5, both
  std::string what;        // differs, in words
};

Difference difference_of(const std::string &one, const std::string &other);

}  // namespace sv_run
