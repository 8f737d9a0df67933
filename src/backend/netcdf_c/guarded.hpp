// Definitions of a file that another program may have made. Both stores of netCDF-4 read them so, on one rank.
#pragma once

#include <string>

#include "model/schema.hpp"

namespace sv::netcdf4 {

/// Local. What inquire says of the file at `path`. NetCDF-C sees a file that it may crash on in a process of its own,
/// where Sverdrup was built with the headers of HDF5. Error(format), Error(not_found), Error(io).
Schema read_guarded_definitions(const std::string &path);

}  // namespace sv::netcdf4
