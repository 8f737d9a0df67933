// Interposed where the device is a parallel file system: the functions by which programs recognise it, and set and read
// stripes.
#include "file_system.hpp"

#include <sys/vfs.h>

#include <cstdarg>
#include <cstdlib>
#include <cstring>

#include "call.hpp"

namespace {

using namespace sv_shim;

/// nullptr: the device is no such file system.
const FileSystemCalls *calls() {
  switch (configuration().device.file_system) {
    case FileSystem::lustre:
      return &lustre_calls;
    case FileSystem::beegfs:
      return &beegfs_calls;
    default:
      return nullptr;
  }
}

bool is_on_device(int descriptor) {
  Path path;
  return calls() != nullptr && is_watched(descriptor, path) && is_below(configuration().device_directory, path);
}

}  // namespace

SV_SHIM_EXPORT int ioctl(int descriptor, unsigned long request, ...) noexcept {
  static const auto next = real<int(int, unsigned long, ...)>("ioctl");
  va_list arguments;
  va_start(arguments, request);
  void *const argument = va_arg(arguments, void *);
  va_end(arguments);
  const auto answer = is_on_device(descriptor) ? calls()->ioctl(descriptor, request, argument) : std::nullopt;
  return answer ? *answer : next(descriptor, request, argument);
}

SV_SHIM_EXPORT ssize_t fgetxattr(int descriptor, const char *name, void *value, size_t size) noexcept {
  static const auto next = real<ssize_t(int, const char *, void *, size_t)>("fgetxattr");
  const bool is_lustre = calls() == &lustre_calls && std::strcmp(name, "lustre.lov") == 0;
  return is_lustre && is_on_device(descriptor) ? lustre_attribute(descriptor, value, size)
                                               : next(descriptor, name, value, size);
}

#define SV_SHIM_FSTATFS(name, type)                                                \
  SV_SHIM_EXPORT int name(int descriptor, struct type *status) noexcept {          \
    static const auto next = real<int(int, struct type *)>(#name);                 \
    const int result = next(descriptor, status);                                   \
    if (result == 0 && is_on_device(descriptor)) status->f_type = calls()->number; \
    return result;                                                                 \
  }
#define SV_SHIM_STATFS(name, type)                                                  \
  SV_SHIM_EXPORT int name(const char *path, struct type *status) noexcept {         \
    static const auto next = real<int(const char *, struct type *)>(#name);         \
    const int result = next(path, status);                                          \
    Path absolute;                                                                  \
    if (result == 0 && calls() != nullptr && realpath(path, absolute) != nullptr && \
        is_below(configuration().device_directory, absolute))                       \
      status->f_type = calls()->number;                                             \
    return result;                                                                  \
  }
SV_SHIM_FSTATFS(fstatfs, statfs)
SV_SHIM_FSTATFS(fstatfs64, statfs64)
SV_SHIM_STATFS(statfs, statfs)
SV_SHIM_STATFS(statfs64, statfs64)
