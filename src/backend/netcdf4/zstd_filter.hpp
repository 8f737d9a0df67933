// HDF5's filter for Zstandard, number 32015. HDF5 has it as a plug-in only, where somebody has installed one; netCDF-C
// does not define a variable with a filter that HDF5 does not know. The store asks here before it makes a file.
#pragma once

#include <vector>

#include "backend/netcdf4/storage.hpp"

namespace sv::netcdf4 {

/// Local. HDF5 knows the filter: as a plug-in, or `anyway` by us. Error(not_compiled) where there is no plug-in, so
/// that no reader of this machine could read the file.
void need_zstd_filter(bool anyway);
/// The same for an existing file: if one of its variables has the filter, this process must be able to read it.
void need_zstd_filter(const std::vector<Storage> &storages);

}  // namespace sv::netcdf4
