// Definitions of a file that another program may have made. Both stores of netCDF-4 read them so, on one rank.
#pragma once

#include <string>

#include "model/schema.hpp"

namespace sv::netcdf4 {

/// Local. The result of inquire for the file at `path`. If netCDF-C may crash on the file, it reads it in a process
/// of its own, where Sverdrup was built with the headers of HDF5. Error(format), Error(not_found), Error(io).
Schema read_guarded_definitions(const std::string &path);

}  // namespace sv::netcdf4
