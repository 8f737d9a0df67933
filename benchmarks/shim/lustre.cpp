// Interposed where the device is a Lustre file system: its number, and the calls that set and report the stripes of a
// file (store/lustre.hpp lists their source). A new file has none while its descriptor has O_ASYNC and nothing is
// written.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>

#include "call.hpp"
#include "device.hpp"

namespace {

using namespace sv_shim;

// struct lov_user_md_v1.
struct Stripes {
  uint32_t magic, pattern;
  uint64_t object[2];
  uint32_t unit_bytes;
  uint16_t count, first_target;
};
constexpr uint32_t magic_v1 = 0x0BD10BD0, in_turn = 0x1, several_on_a_target = 0x200;
constexpr unsigned long set_request = _IOW('f', 154, long), count_request = _IOR('f', 168, long);
constexpr long file_system_number = 0x0BD00BD0;
constexpr int64_t granule_bytes = 64 << 10;

bool is_on_lustre(int descriptor) {
  Path path;
  return configuration().device.is_lustre && is_watched(descriptor, path) &&
         is_below(configuration().device_directory, path);
}

int set_stripes(int descriptor, const Stripes &wanted) {
  const Device &device = configuration().device;
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return -1;
  const int flags = fcntl(descriptor, F_GETFL);
  const bool overstriped = wanted.pattern == (in_turn | several_on_a_target);
  if (wanted.magic != magic_v1 || (wanted.pattern != in_turn && !overstriped) || wanted.unit_bytes % granule_bytes != 0)
    return fail_with(EINVAL);
  if (flags < 0 || (flags & O_ASYNC) == 0 || status.st_size > 0) return fail_with(EEXIST);
  int count = wanted.count == 0 ? device.stripes : wanted.count;
  if (!overstriped && count > device.targets) count = device.targets;
  const int64_t unit = wanted.unit_bytes == 0 ? device.stripe_bytes : int64_t{wanted.unit_bytes};
  return shared_state().layouts.set(file_key(descriptor), {count, unit}) ? 0 : fail_with(EEXIST);
}

ssize_t report_stripes(int descriptor, void *value, size_t size) {
  const FileLayout layout = layout_of(descriptor);
  Stripes found{};
  found.magic = magic_v1;
  found.pattern = in_turn | (layout.stripes > configuration().device.targets ? several_on_a_target : 0);
  found.unit_bytes = static_cast<uint32_t>(layout.stripe_bytes);
  found.count = static_cast<uint16_t>(layout.stripes);
  if (size == 0) return sizeof found;
  if (size < sizeof found) return fail_with(ERANGE);
  std::memcpy(value, &found, sizeof found);
  return sizeof found;
}

}  // namespace

SV_SHIM_EXPORT int ioctl(int descriptor, unsigned long request, ...) noexcept {
  static const auto next = real<int(int, unsigned long, ...)>("ioctl");
  va_list arguments;
  va_start(arguments, request);
  void *const argument = va_arg(arguments, void *);
  va_end(arguments);
  if ((request != set_request && request != count_request) || !is_on_lustre(descriptor))
    return next(descriptor, request, argument);
  if (request == set_request) return set_stripes(descriptor, *static_cast<const Stripes *>(argument));
  *static_cast<int *>(argument) = configuration().device.targets;
  return 0;
}

SV_SHIM_EXPORT ssize_t fgetxattr(int descriptor, const char *name, void *value, size_t size) noexcept {
  static const auto next = real<ssize_t(int, const char *, void *, size_t)>("fgetxattr");
  if (std::strcmp(name, "lustre.lov") != 0 || !is_on_lustre(descriptor)) return next(descriptor, name, value, size);
  return report_stripes(descriptor, value, size);
}

#define SV_SHIM_FSTATFS(name, type)                                                   \
  SV_SHIM_EXPORT int name(int descriptor, struct type *status) noexcept {             \
    static const auto next = real<int(int, struct type *)>(#name);                    \
    const int result = next(descriptor, status);                                      \
    if (result == 0 && is_on_lustre(descriptor)) status->f_type = file_system_number; \
    return result;                                                                    \
  }
#define SV_SHIM_STATFS(name, type)                                                                \
  SV_SHIM_EXPORT int name(const char *path, struct type *status) noexcept {                       \
    static const auto next = real<int(const char *, struct type *)>(#name);                       \
    const int result = next(path, status);                                                        \
    Path absolute;                                                                                \
    if (result == 0 && configuration().device.is_lustre && realpath(path, absolute) != nullptr && \
        is_below(configuration().device_directory, absolute))                                     \
      status->f_type = file_system_number;                                                        \
    return result;                                                                                \
  }
SV_SHIM_FSTATFS(fstatfs, statfs)
SV_SHIM_FSTATFS(fstatfs64, statfs64)
SV_SHIM_STATFS(statfs, statfs)
SV_SHIM_STATFS(statfs64, statfs64)
