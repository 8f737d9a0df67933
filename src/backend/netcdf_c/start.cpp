#include "backend/netcdf_c/netcdf_c.hpp"
#include "base/environment.hpp"

// HDF5's own. Not there where netCDF-C hides them.
extern "C" {
extern int H5open(void) __attribute__((weak));
extern int H5Fis_hdf5(const char *) __attribute__((weak));
}

namespace sv::netcdf4 {

/// HDF5 asks for the variable when it opens its first file.
void start_hdf5_without_locks() {
  const SetMeanwhile locks("HDF5_USE_FILE_LOCKING", "FALSE");
  if (&H5open == nullptr || &H5Fis_hdf5 == nullptr || H5open() < 0) return;
  H5Fis_hdf5("/dev/null");
}

}  // namespace sv::netcdf4
