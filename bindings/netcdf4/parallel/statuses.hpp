// The codes of netCDF for statuses of Sverdrup's C interface.
#pragma once

#include "../codes.hpp"

namespace sv::netcdf4 {

/// The code of netCDF that says the same as a status of Sverdrup.
int code_of(int status);

/// Whether the system has failed, so that another library would fail, too.
bool is_of_system(int status);

/// Throws the code of a call of Sverdrup that has failed.
inline void must(int status) {
  if (status != 0) throw Refusal{code_of(status)};
}

}  // namespace sv::netcdf4
