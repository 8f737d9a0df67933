#include "statuses.hpp"

#include <sverdrup/sverdrup.h>

#include <cerrno>
#include <new>

int sv::face::code_of_exception() noexcept {
  try {
    throw;
  } catch (const std::bad_alloc &) {
    return NC_ENOMEM;
  } catch (...) {
    return NC_EHDFERR;
  }
}

namespace sv::netcdf4 {

int code_of(int status) {
  switch (status) {
    case SV_OK:
      return NC_NOERR;
    case SV_EORDER:
    case SV_ENOTSUP:
      return NC_ECANTEXTEND;  // one rank by itself would have to give a variable more chunks
    case SV_EDEFINE:
      return NC_EINTERNAL;
    case SV_ELAYOUT:
      return NC_EINVALCOORDS;
    case SV_ETYPE:
      return NC_ECHAR;
    case SV_ERANGE:
      return NC_ERANGE;
    case SV_ENOTFOUND:
      return ENOENT;
    case SV_EEXISTS:
      return NC_EEXIST;
    case SV_EACCESS:
    case SV_EINUSE:
      return EACCES;
    case SV_ENOSPACE:
      return ENOSPC;
    case SV_ENOMEM:
      return NC_ENOMEM;
    case SV_EINVAL:
    case SV_ECONFIG:
    case SV_ERANKS:
      return NC_EINVAL;
    default:
      return NC_EHDFERR;
  }
}

bool is_of_system(int status) { return status == SV_EIO || status == SV_ENOSPACE || status == SV_ENOMEM; }

}  // namespace sv::netcdf4
