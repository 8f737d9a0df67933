// The additions of sv_redef to an open netCDF-4 file. netCDF-C defines them in a file in memory, and from there
// they are copied into the file's metadata, which the owner's index has in memory, too. So existing values stay in
// place, and the next commit writes the changed metadata through the journal. The store (chunk_store.cpp) calls it.
// Local.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <vector>

#include "backend/access.hpp"
#include "model/schema.hpp"

namespace sv::netcdf4 {

/// All bytes of a file with the definitions that only `after` has (enhanced::only_adds), as netCDF-C makes them.
std::vector<std::byte> defined_additions(const Schema &before, const Schema &after, const Access &access);

/// Copies these definitions into `file`. Throws HDF5's error; the file must not be used after it.
void add_definitions(hid_t file, const std::vector<std::byte> &defined, const Schema &before, const Schema &after);

}  // namespace sv::netcdf4
