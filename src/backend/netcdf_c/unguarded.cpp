// Takes the place of backend/netcdf4/guarded.cpp where the headers of HDF5 are missing.
#include "backend/netcdf_c/guarded.hpp"
#include "backend/netcdf_c/netcdf_c.hpp"

namespace sv::netcdf4 {

Schema read_guarded_definitions(const std::string &path) { return read_definitions(path); }

}  // namespace sv::netcdf4
