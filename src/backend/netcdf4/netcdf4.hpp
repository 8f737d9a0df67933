// What the parts of the netCDF-4 store have in common. "NetCDF-4 C API" (Unidata); Yang et al. 2020, section 2.3.
#pragma once

#include <mpi.h>
#include <netcdf.h>

#include <cstdint>
#include <string>

#include "backend/backend.hpp"
#include "store/schema.hpp"

namespace sv::netcdf4 {

/// Throws Error(io or what fits) with netCDF's own text, and the system's where it left one, when `code` is an error.
void check(int code, const std::string &call);

/// Makes all dimensions, variables and attributes of `schema`, in its order, in the new file `id`. Nothing is
/// pre-filled, since whoever owns a cell writes or fills it; `told`: but HDF5 knows which value cells have that nobody
/// wrote.
enum class Prefilling { none, told };
void define(int id, const Schema &schema, const Access &access, Prefilling prefilling = Prefilling::none);

/// What the classic model can say of the root group of an open file. Error(format) names the first thing that it cannot
/// (a variable of a user-defined type, a record dimension in second place ...).
Schema inquire(int id);
/// The same of a file that it opens and closes.
Schema read_definitions(const std::string &path);

/// netCDF-C 4.9 crashes in nc_close where HDF5 fails to close the file. So whoever writes holds HDF5's own number of
/// it, too: nc_close then gives back only netCDF's hold, and close_held closes the file, and throws what HDF5 fails
/// with. Both are as collective as nc_close, which comes between them. Where HDF5 hides what they need, nothing is
/// held.
constexpr int64_t not_held = -1;
int64_t hold_last_opened();
void close_held(int64_t file);
/// What MPI calls a held file that several have open; nullptr where nothing is held or HDF5 hides it.
const MPI_File *mpi_file_of(int64_t file);

/// Local. A file is left open, because it cannot be closed: HDF5 closes nothing when MPI and the process end, which
/// crashes there. Files that somebody else has left open are not closed then, either.
void close_nothing_at_the_end() noexcept;

}  // namespace sv::netcdf4
