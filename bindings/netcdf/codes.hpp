// Codes of netCDF.
#pragma once

#include <netcdf.h>

#include "../face/codes.hpp"

namespace sv::netcdf {

using namespace face;

}  // namespace sv::netcdf
