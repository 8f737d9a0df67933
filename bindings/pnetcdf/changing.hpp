// Changes of definitions outside define mode, which PnetCDF allows where the header does not grow.
#pragma once

#include "definitions.hpp"

namespace sv::pnetcdf {

/// Runs `change` in define mode: at once where the file is in it; otherwise, where what changes does not grow, between
/// sv_redef and sv_enddef. Collective then, as PnetCDF's calls are. Throws NC_ENOTINDEFINE.
template <class Change>
int changed(Dataset &own, bool fits, Change &&change) {
  if (own.mode == Mode::define) {
    change();
    return NC_NOERR;
  }
  refuse_if(!fits, NC_ENOTINDEFINE);
  must(sv_redef(own.file));
  own.requests.carried_out();
  own.may_have_new_records = false;
  const int code = answered([&] {
    change();
    return NC_NOERR;
  });
  int ended = end_definitions(own, [] {});
  if (ended == NC_NOERR && own.mode == Mode::independent) ended = code_of(sv_begin_indep(own.file));  // it goes on
  own.forget_shapes();
  return code != NC_NOERR ? code : ended;
}

}  // namespace sv::pnetcdf
