// Where the functions of the real PnetCDF are found.
#pragma once

#include "../loaded.hpp"

namespace sv::pnetcdf {

/// The PnetCDF libraries of the process. A process that has none gets libpnetcdf.so of this machine when it needs it.
LoadedLibraries &libraries();

template <class Function>
using Real = RealFunction<Function, libraries>;

}  // namespace sv::pnetcdf
