#include "codes.hpp"

#include <sverdrup/sverdrup.h>

#include <new>

int sv::face::code_of_exception() noexcept {
  try {
    throw;
  } catch (const std::bad_alloc &) {
    return NC_ENOMEM;
  } catch (...) {
    return NC_EFILE;
  }
}

namespace sv::pnetcdf {

int code_of(int status) {
  switch (status) {
    case SV_OK:
      return NC_NOERR;
    case SV_EDEFINE:
      return NC_EMULTIDEFINE;
    case SV_ELAYOUT:
      return NC_EINVALCOORDS;
    case SV_ETYPE:
      return NC_ECHAR;
    case SV_ERANGE:
      return NC_ERANGE;
    case SV_ENOTFOUND:
      return NC_ENOENT;
    case SV_EEXISTS:
      return NC_EEXIST;
    case SV_EACCESS:
      return NC_EACCESS;
    case SV_ENOSPACE:
      return NC_ENO_SPACE;
    case SV_EFORMAT:
      return NC_ENOTNC;
    case SV_ELIMIT:
      return NC_EVARSIZE;
    case SV_ENOMEM:
      return NC_ENOMEM;
    case SV_EINVAL:
    case SV_ECONFIG:
    case SV_EORDER:
    case SV_ERANKS:
    case SV_EINUSE:
    case SV_ENOTSUP:
      return NC_EINVAL;
    default:
      return NC_EFILE;
  }
}

}  // namespace sv::pnetcdf
