// Where the functions of the real PnetCDF are found.
#pragma once

#include "../loaded.hpp"

namespace sv::pnetcdf {

/// The PnetCDF libraries of the process. A process that has none gets libpnetcdf.so of this machine when it needs it.
LoadedLibraries &libraries();

/// The function that the code at `caller` would call without this library. Ends the process where there is none.
void *real_function(const char *name, const void *caller);

template <class Function>
using Real = RealFunction<Function, libraries, real_function>;

}  // namespace sv::pnetcdf
