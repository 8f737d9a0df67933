// The filters that HDF5 must have before a file is made or written: its plug-ins, and Zstandard. The store netcdf4 asks
// for them on the file's owner.
#pragma once

#include <vector>

#include "backend/access.hpp"
#include "backend/netcdf4/storage.hpp"

namespace sv::netcdf4 {

/// Local. Of the variables of a new file. Error(not_compiled) where one is missing.
void need_filters(const Schema &schema, const Access &access);
/// Of an existing file: this process must be able to read its variables.
void need_filters(const std::vector<Storage> &storages);

}  // namespace sv::netcdf4
