// The objects of an HDF5 file, as HDF5's own interface reports them, before netCDF-C sees the file. NetCDF-C takes for
// granted what its own files have, and crashes on others that are valid HDF5. The readers of definitions call this; it
// reads no values.
#pragma once

#include <string>

namespace sv::netcdf4 {

/// Local. A property for which netCDF-C has no rule: "the dataset 'x' has no dataspace"; "" if there is none.
/// Error(format) if HDF5 cannot read the file.
std::string oddity_of(const std::string &path);

/// Local. Throws Error(format) where values or objects of the file stand in other files: HDF5 would read these with the
/// rights of the process that reads this one (external storage, virtual datasets, external links).
void require_no_other_files(const std::string &path);

}  // namespace sv::netcdf4
