// What sv_redef adds to a netCDF-4 file that is open: netCDF-C defines it in a file in memory, and from there it is
// copied into the file's metadata, which the owner's index has in memory, too. So its values stay where they are, and
// the next commit writes the metadata that have changed, through the journal. The store (chunk_store.cpp) calls it.
// Local.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <vector>

#include "backend/access.hpp"
#include "model/schema.hpp"

namespace sv::netcdf4 {

/// All bytes of a file with what `after` has more than `before` (enhanced::only_adds), as netCDF-C defines it.
std::vector<std::byte> defined_additions(const Schema &before, const Schema &after, const Access &access);

/// Copies these definitions into `file`. Throws what HDF5 fails with; then the file is not to be used any more.
void add_definitions(hid_t file, const std::vector<std::byte> &defined, const Schema &before, const Schema &after);

}  // namespace sv::netcdf4
