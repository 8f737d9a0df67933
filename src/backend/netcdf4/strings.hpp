// Strings of a dataset of HDF5, which keeps them in its global heap: the index (index.hpp) moves them with HDF5's own
// calls. Local.
#pragma once

#include <hdf5.h>

#include <span>
#include <string>
#include <vector>

#include "layout/box.hpp"

namespace sv::netcdf4 {

/// The strings of cells that the dataset has, in their order. Those of a fixed length end at the first zero byte.
/// Error(format).
std::vector<std::string> strings_in(hid_t dataset, const Box &cells);
/// Writes strings into cells that the dataset has. Error(format) where its strings have a fixed length.
void put_strings(hid_t dataset, const Box &cells, std::span<const std::string> strings);

}  // namespace sv::netcdf4
