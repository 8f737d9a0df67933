// Codes of netCDF for files of netCDF-4.
#pragma once

#include <netcdf.h>

#include "../face/codes.hpp"

namespace sv::netcdf4 {

using namespace face;

/// Throws a code of netCDF.
inline void expect(int code) { refuse_if(code != NC_NOERR, code); }

}  // namespace sv::netcdf4
