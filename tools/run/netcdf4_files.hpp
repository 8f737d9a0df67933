// Compares netCDF-4 files by definitions, storage and values. sv-run --compare calls this. The netCDF library of this
// machine reads both files, since a comparison must not trust the code that has written one of them; it is loaded for
// the first such file.
#pragma once

#include <string>

namespace sv_run {

/// Whether it is an HDF5 file that the netCDF library opens, or any HDF5 file if that library cannot be loaded. A build
/// without netCDF has no such files.
bool is_netcdf4(const std::string &path);

/// The differences in words: definitions, attributes, chunks, filters, fill values and values. Empty: none. `one` is
/// the file without Sverdrup. A value that cannot be read is a difference. Throws std::runtime_error.
std::string netcdf4_differences(const std::string &one, const std::string &other);

}  // namespace sv_run
