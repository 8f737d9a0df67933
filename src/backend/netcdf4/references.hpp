// Describes how HDF5 has stored a variable of a netCDF-4 file in Zarr's terms, for the virtual index. The store calls
// it on the file's owner (chunk_store.cpp). Local; it reads no values.
#pragma once

#include "backend/netcdf4/index.hpp"
#include "store/virtual_index.hpp"

namespace sv::netcdf4 {

/// `index` outlives the result. Error(format), naming the variable, if Zarr cannot express it: another byte order,
/// other filters, or a shuffle of bytes that follow a checksum and do not divide into values. A chunk that did not
/// pass through all filters is found when `find` is called.
StoredVariable stored_variable(const PlacedSchema &schema, int variable, const FileIndex &index);

}  // namespace sv::netcdf4
