#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

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

/// Whether an error number that was left can be why HDF5 failed. The libraries also look for files that need not be
/// there, and ask of files what not all of them have.
bool is_a_cause(int system) {
  constexpr std::array causes{EIO, ENOSPC, EDQUOT, EFBIG, ENOMEM, EMFILE, ENFILE, EROFS, ESTALE, ETIMEDOUT};
  return std::find(causes.begin(), causes.end(), system) != causes.end();
}

bool reads(std::string_view call) {
  return call.starts_with("nc_get") || call.starts_with("nc_inq") || call.starts_with("nc_open");
}

}  // namespace

void check(int code, const std::string &call) {
  const int system = errno;
  if (code == NC_NOERR) return;
  const bool has_cause = code > 0 || (code == NC_EHDFERR && is_a_cause(system));
  const std::string text = "netCDF-4: " + call + ": " + nc_strerror(code);
  if (reads(call) && code > 0) throw system_error(code, text, "");
  if (reads(call) && code == NC_EHDFERR && has_cause)
    throw Error(status_of_system(system), text + " (the system last said: " + std::strerror(system) + ")",
                "Check the file system, or take another copy of the file");
  if (reads(call) && !has_cause && code != NC_ENOMEM && code != NC_EPERM)
    throw Error(Status::format, text,
                "The file may be damaged, or of a kind that this HDF5 does not know: take another copy of it");
  throw library_error({status_of(code, system), "netCDF-4", call + ": " + nc_strerror(code),
                       code == NC_EHDFERR && has_cause ? system : 0});  // of its own errors, netCDF knows the cause
}

}  // namespace sv::netcdf4
