// The common parts of several kinds of definitions.
#pragma once

#include "dataset.hpp"

namespace sv::netcdf {

/// Throws NC_EBADTYPE for types that the file's format does not have.
inline void check_type(const Dataset &own, nc_type type) {
  refuse_if(type < NC_BYTE || type > (own.is_cdf5() ? NC_UINT64 : NC_DOUBLE), NC_EBADTYPE);
}

/// Outside of definitions a name may become shorter, and not longer. `fill_changes`: it is or was that of a fill value.
inline void rename(Dataset &own, std::string &name, const std::string &to, bool fill_changes = false) {
  refuse_if(!own.file->is_defining() && to.size() > name.size(), NC_ENOTINDEFINE);
  name = to;
  if (!own.file->is_defining()) own.file->change_header(fill_changes);
}

}  // namespace sv::netcdf
