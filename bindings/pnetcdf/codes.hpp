// Codes of PnetCDF, and which PnetCDF it is.
#pragma once

#include <pnetcdf.h>

#include "../face/codes.hpp"

namespace sv::pnetcdf {

using namespace face;

/// Its version 1.13 has changed what hints and formats mean.
constexpr bool is_before_1_13 = PNETCDF_VERSION_MAJOR == 1 && PNETCDF_VERSION_MINOR < 13;

/// The code of PnetCDF that says the same as a status of Sverdrup.
int code_of(int status);

/// Throws the code of a call of Sverdrup that has failed.
inline void must(int status) {
  if (status != 0) throw Refusal{code_of(status)};
}

}  // namespace sv::pnetcdf
