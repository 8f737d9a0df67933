// netCDF's rules for names.
#pragma once

#include <string>

namespace sv::netcdf {

/// The name as it stands in a file (Unicode in normal form C). Throws NC_EBADNAME, NC_EMAXNAME.
std::string checked_name(const char *name);
/// Of a name that is looked for: any.
std::string wanted_name(const char *name);

}  // namespace sv::netcdf
