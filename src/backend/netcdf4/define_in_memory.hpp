// The metadata of a new netCDF-4 file as netCDF-C makes them, without a file.
#pragma once

#include <cstddef>
#include <vector>

#include "backend/access.hpp"
#include "store/schema.hpp"

namespace sv::netcdf4 {

/// Local. All bytes of a file with these definitions and no values. Throws what netCDF-C fails with.
std::vector<std::byte> define_in_memory(const Schema &schema, const Access &access);

}  // namespace sv::netcdf4
