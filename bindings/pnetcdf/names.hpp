// PnetCDF's checks of names.
#pragma once

#include <cstring>

#include "codes.hpp"

namespace sv::pnetcdf {

/// Throws NC_EBADNAME, NC_EMAXNAME.
inline void check_name(const char *name) {
  refuse_if(name == nullptr || *name == '\0', NC_EBADNAME);
  refuse_if(std::strlen(name) > NC_MAX_NAME, NC_EMAXNAME);
}

/// What Sverdrup refuses of a new name that is neither too long nor taken: its characters.
inline void must_name(int status) { refuse_if(status != 0, NC_EBADNAME); }

}  // namespace sv::pnetcdf
