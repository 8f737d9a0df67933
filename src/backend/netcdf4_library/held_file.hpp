// The close of a file that netCDF-C and HDF5 have open for writing, apart: netCDF-C 4.9 crashes in nc_close where HDF5
// fails to close the file. So who writes holds HDF5's own number of the file, too: nc_close then gives back only
// netCDF's hold, and close_held closes the file. The store over parallel netCDF-4 calls this.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace sv::netcdf4 {

/// Where HDF5 hides what this needs, nothing is held.
constexpr int64_t not_held = -1;
int64_t hold_last_opened();
/// Throws HDF5's errors. It and nc_close, which comes before it, are as collective as nc_close.
void close_held(int64_t file);
/// What MPI calls a held file that several have open; nullptr where nothing is held or HDF5 hides it.
const MPI_File *mpi_file_of(int64_t file);

/// Local. A file is left open, because it cannot be closed: HDF5 closes nothing when MPI and the process end, which
/// crashes there. Files that somebody else has left open are not closed then, either.
void close_nothing_at_the_end() noexcept;

}  // namespace sv::netcdf4
