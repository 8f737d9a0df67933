#include <cerrno>
#include <cstring>

#include "backend/netcdf4/netcdf4.hpp"
#include "base/error.hpp"

namespace sv::netcdf4 {

namespace {

Status status_of(int code, int system) {
  if (code > 0) return system_error(code, "", "").status();
  switch (code) {
    case NC_ENOTNC:
      return Status::format;
    case NC_EEXIST:
      return Status::exists;
    case NC_EPERM:
      return Status::access;
    case NC_ENOMEM:
      return Status::no_memory;
    default:
      break;
  }
  return system == ENOSPC || system == EDQUOT ? Status::no_space : Status::io;
}

}  // namespace

void check(int code, const std::string &call) {
  // HDF5 reports nothing but that it failed; what the system last said is the best there is.
  const int system = errno;
  if (code == NC_NOERR) return;
  std::string text = "netCDF-4: " + call + ": " + nc_strerror(code);
  if (code == NC_EHDFERR && system != 0) text += std::string(" (the system last said: ") + std::strerror(system) + ")";
  throw Error(status_of(code, system), text,
              "The error is netCDF's or the file system's; the store 'cdf' tells more exactly");
}

}  // namespace sv::netcdf4
