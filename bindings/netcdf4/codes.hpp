// Codes of netCDF for files of netCDF-4.
#pragma once

#include <netcdf.h>

#include "../face/codes.hpp"

namespace sv::netcdf4 {

using namespace face;

/// The code of netCDF that says the same as a status of Sverdrup.
int code_of(int status);

/// Throws the code of a call of Sverdrup that has failed.
inline void must(int status) {
  if (status != 0) throw Refusal{code_of(status)};
}
/// Throws a code of netCDF.
inline void expect(int code) { refuse_if(code != NC_NOERR, code); }

}  // namespace sv::netcdf4
