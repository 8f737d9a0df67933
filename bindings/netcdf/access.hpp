// What a call that moves values asks for, as the generated functions tell it.
#pragma once

#include <cstddef>

#include "dataset.hpp"

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

int transfer(Dataset &own, const Access &access);

}  // namespace sv::netcdf
