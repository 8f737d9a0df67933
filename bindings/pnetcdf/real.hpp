// Where the functions of the real PnetCDF are found.
#pragma once

#include "../real.hpp"

namespace sv::pnetcdf {

/// The function of that name behind this library in the search order of the program; where none is there, as in a
/// program that is linked to this library alone, that of libpnetcdf.so. Ends the process where there is none at all.
void *real_function(const char *name);

template <class Function>
using Real = RealFunction<Function, real_function>;

}  // namespace sv::pnetcdf
