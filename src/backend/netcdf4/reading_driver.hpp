// A file driver for HDF5 that reads a file as HDF5's own does, except that no two openings share what HDF5 knows of it:
// HDF5 opens a file that the process has open already as it was then, without what other programs, and our writers,
// which HDF5 does not know, have added since. The index (index.hpp) opens the files that it reads through it.
#pragma once

#include <hdf5.h>

#include <string>

namespace sv::netcdf4 {

/// H5Fopen to read. Throws hdf5_error.
hid_t open_unshared(const std::string &path);

}  // namespace sv::netcdf4
