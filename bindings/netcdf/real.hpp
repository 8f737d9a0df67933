// Where the functions of the real netCDF are found.
#pragma once

#include "../real.hpp"

namespace sv::netcdf {

/// The function of that name behind this library in the search order of the program; otherwise that of a netCDF library
/// which the process has loaded for itself (as Python does); otherwise that of libnetcdf.so. nullptr where none has it.
void *find_real(const char *name);

/// The same; ends the process where there is none.
void *real_function(const char *name);

template <class Function>
using Real = RealFunction<Function, real_function>;

/// Whether the code at an address belongs to netCDF itself, or to Sverdrup: whose calls are never taken over.
bool is_inside(const void *address);

}  // namespace sv::netcdf
