// Calls of netCDF-C that both stores of netCDF-4 make: definitions into a file and out of one, and codes that become
// Errors. "NetCDF-4 C API" (Unidata); Yang et al. 2020, section 2.3.
#pragma once

#include <netcdf.h>

#include <string>

#include "backend/access.hpp"
#include "model/schema.hpp"

namespace sv::netcdf4 {

/// Once, before anything else. HDF5's lock would keep readers from a growing file: unless the user has set
/// HDF5_USE_FILE_LOCKING, it takes none in this process. Where the program has used HDF5 before, that stays as it is.
void start_hdf5_without_locks();

/// When `code` is an error, throws Error(io, or a better match) with netCDF's own text, and the system's if that can
/// be the cause. A failure of HDF5 in reading, for which the system is not the cause, is Error(format).
void check(int code, const std::string &call);

/// Makes all dimensions, variables and attributes of `schema`, in its order, in the new file `id`. Nothing is
/// pre-filled, since the owner of a cell writes or fills it. With Prefilling::as_defined, HDF5 knows the value of
/// unwritten cells.
enum class Prefilling { none, as_defined };
void define(int id, const Schema &schema, const Access &access, Prefilling prefilling = Prefilling::none);

/// What the classic model can say of the root group of an open file. The schema's omissions name what it cannot:
/// groups, variables of strings or of a user-defined type, a second dimension that grows ...
Schema inquire(int id);
/// The same of a file that it opens and closes.
Schema read_definitions(const std::string &path);

/// Throws Error(format) where a file of HDF5 is shorter than its superblock says: a copy that was not completed.
/// Error(not_found), Error(io).
void require_whole(const std::string &path);

}  // namespace sv::netcdf4
