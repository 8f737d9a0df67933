// The properties of the real netCDF that a call needs.
#pragma once

namespace sv::netcdf {

/// Whether the code at an address belongs to netCDF itself, or to Sverdrup: whose calls are never taken over.
bool is_inside(const void *address);

/// A classic file of the real library that the caller would reach, in memory, with the variable "v": it answers what
/// does not depend on the file. Throws netCDF's code where there is none.
int stand_in(const void *caller);

}  // namespace sv::netcdf
