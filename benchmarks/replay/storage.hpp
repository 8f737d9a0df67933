// How netCDF-4 stores the variables of a header that is replayed: chunks and compression.
#pragma once

#include <string>
#include <vector>

#include "header.hpp"
#include "methods/methods.hpp"

namespace sv_bench {

/// Of a file's variables, by netCDF-C; all empty where that was not compiled. Local. Throws std::runtime_error.
std::vector<Storage> storage_in_file(const std::string &path, const Schema &schema);

/// Whether any variable has chunks.
bool has_chunks(const Header &header);
/// The keys of Sverdrup's configuration that come closest. They hold for the whole file: taken from the largest
/// variable that has chunks; and chunks have all levels of one record.
std::vector<std::string> storage_settings(const Header &header);
/// The same variables with the same chunks and compression by netCDF-4 over parallel HDF5, collective.
Peer stored_netcdf4_peer(const std::string &name, const Workload &workload, const std::vector<Storage> &storage);

}  // namespace sv_bench
