#include "codes.hpp"

#include <cerrno>
#include <new>

#include "base/error.hpp"

namespace sv::face {

namespace {

/// netCDF returns what the system says as the system's own number.
int code_of(Status status) {
  switch (status) {
    case Status::ok:
      return NC_NOERR;
    case Status::no_space:
      return ENOSPC;
    case Status::access:
      return EACCES;
    case Status::not_found:
      return ENOENT;
    case Status::exists:
      return NC_EEXIST;
    case Status::no_memory:
      return NC_ENOMEM;
    case Status::limit:
      return NC_EVARSIZE;
    case Status::format:
      return NC_ENOTNC;
    case Status::define:
      return NC_EBADNAME;
    default:
      return EIO;
  }
}

}  // namespace

int code_of_exception() noexcept {
  try {
    throw;
  } catch (const Error &error) {
    return code_of(error.status());
  } catch (const std::bad_alloc &) {
    return NC_ENOMEM;
  } catch (...) {
    return EIO;
  }
}

}  // namespace sv::face
