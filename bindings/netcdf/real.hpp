// Where the functions of the real netCDF are found.
#pragma once

#include "../loaded.hpp"

namespace sv::netcdf {

/// The netCDF libraries of the process. A process that has none gets libnetcdf.so of this machine when it needs it.
LoadedLibraries &libraries();

template <class Function>
using Real = RealFunction<Function, libraries>;

/// Whether the code at an address belongs to netCDF itself, or to Sverdrup: whose calls are never taken over.
bool is_inside(const void *address);

/// A classic file of the real library that the caller would reach, in memory, with the variable "v": it answers what
/// does not depend on the file. Throws netCDF's code where there is none.
int stand_in(const void *caller);

}  // namespace sv::netcdf
