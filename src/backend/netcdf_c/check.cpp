#include <cerrno>

#include "backend/netcdf_c/netcdf_c.hpp"

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
  return status_of_system(system);
}

}  // namespace

void check(int code, const std::string &call) {
  const int system = errno;
  if (code == NC_NOERR) return;
  throw library_error({status_of(code, system), "netCDF-4", call + ": " + nc_strerror(code),
                       code == NC_EHDFERR ? system : 0});  // of its own errors, netCDF knows the cause
}

}  // namespace sv::netcdf4
