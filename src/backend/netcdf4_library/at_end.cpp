#include <mpi.h>

#include "backend/netcdf4_library/held_file.hpp"

// HDF5's own: whether the library runs, and has something to close; and whether it is ending, when no call starts it
// again. Not there where HDF5 hides them.
extern "C" {
extern bool H5_libinit_g __attribute__((weak));
extern bool H5_libterm_g __attribute__((weak));
}

namespace sv::netcdf4 {

namespace {

/// netCDF-C 4.9.3 asks HDF5 something at the exit: without the second one, that would start it, and end it with MPI
/// calls.
int forget_hdf5(MPI_Comm, int, void *, void *) {
  if (&H5_libinit_g != nullptr) H5_libinit_g = false;
  if (&H5_libterm_g != nullptr) H5_libterm_g = true;
  return MPI_SUCCESS;
}

}  // namespace

/// HDF5 closes open files when MPI_Finalize deletes an attribute of MPI_COMM_SELF, and at the exit. Attributes are
/// deleted in the opposite order of their creation. Ours is made while HDF5 runs, and so is deleted before HDF5's. If
/// HDF5 does not run yet, as on a writer that waits for the owner's failed creation, no file is open.
void close_nothing_at_the_end() noexcept {
  if (&H5_libinit_g == nullptr || !H5_libinit_g) return;
  static const bool is_set = [] {
    int key = MPI_KEYVAL_INVALID;
    if (MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget_hdf5, &key, nullptr) != MPI_SUCCESS) return false;
    const bool set = MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr) == MPI_SUCCESS;
    return MPI_Comm_free_keyval(&key) == MPI_SUCCESS && set;
  }();
  static_cast<void>(is_set);
}

}  // namespace sv::netcdf4
