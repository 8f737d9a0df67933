// The arguments of one put or get of netCDF, as the generated functions hand them on (face/generate.py). Values, which
// borrow the arrays of the call.
#pragma once

#include <netcdf.h>

#include <cstddef>

namespace sv::netcdf {

enum class Kind { whole, one, block, strided, mapped };

struct Access {
  Kind kind;
  bool is_put;
  int variable = -1;
  const size_t *start = nullptr, *count = nullptr;
  const ptrdiff_t *stride = nullptr, *imap = nullptr;
  void *data = nullptr;
  nc_type type = NC_NAT;  // in memory; NC_NAT: that of the variable
};

}  // namespace sv::netcdf
