// What the parts of the netCDF-4 store have in common. "NetCDF-4 C API" (Unidata); Yang et al. 2020, section 2.3.
#pragma once

#include <netcdf.h>

#include <string>

#include "backend/backend.hpp"
#include "store/schema.hpp"

namespace sv::netcdf4 {

/// Throws Error(io or what fits) with netCDF's own text, and the system's where it left one, when `code` is an error.
void check(int code, const std::string &call);

/// Makes all dimensions, variables and attributes of `schema`, in its order, in the new file `id`, without pre-filling.
void define(int id, const Schema &schema, const Access &access);

/// What the classic model can say of the root group of an open file. Error(format) names the first thing that it cannot
/// (a variable of a user-defined type, a record dimension in second place ...).
Schema inquire(int id);

/// Local. A file is left open, because it cannot be closed: HDF5 closes nothing when MPI and the process end, which
/// crashes there. Files that somebody else has left open are not closed then, either.
void close_nothing_at_the_end() noexcept;

}  // namespace sv::netcdf4
