// What the virtual index of a netCDF-4 file tells of a variable: how HDF5 has stored it, in Zarr's words. The store
// calls it on the file's owner (chunk_store.cpp). Local; it reads no values.
#pragma once

#include "backend/netcdf4/index.hpp"
#include "store/virtual_index.hpp"

namespace sv::netcdf4 {

/// `index` outlives the result. Error(format), naming the variable, where Zarr has no words for it: another byte order,
/// other filters, a shuffle of what has a checksum before it and does not divide into values. A chunk that did not pass
/// through all filters is found when `find` is called.
StoredVariable stored_variable(const PlacedSchema &schema, int variable, const FileIndex &index);

}  // namespace sv::netcdf4
