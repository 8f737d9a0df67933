// Interposed: opening, closing, syncing, renaming, cutting.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "call.hpp"
#include "device.hpp"
#include "faults.hpp"
#include "file_system.hpp"
#include "opening.hpp"

namespace {

using namespace sv_shim;

template <typename Call>
int open_path(int directory, const char *path, int flags, Call call) {
  if (const std::optional<int> list = beegfs_target_list(path)) return *list;
  Path absolute;
  if (!is_busy() || !absolute_path(directory, path, absolute) || !is_watched(absolute)) return call();
  const bool to_write = (flags & O_ACCMODE) != O_RDONLY;
  const Verdict verdict = to_write ? judge(Operation::open, absolute) : Verdict{};
  if (verdict.error != 0) {
    errno = verdict.error;
    return -1;
  }
  const int descriptor = call();
  if (descriptor >= 0) count_call(Function::open, absolute, 0);
  return descriptor;
}

template <typename Call>
int sync_descriptor(Function function, int fd, Call call) {
  Path path;
  if (!is_watched(fd, path)) return call();
  const Verdict verdict = judge(Operation::sync, path);
  if (is_below(configuration().device_directory, path)) sleep_until(device_busy_until(fd));
  if (verdict.error != 0) {
    errno = verdict.error;
    return -1;
  }
  const int result = call();
  if (result == 0) count_call(function, path, 0);
  return result;
}

struct Rename {
  int from_directory;
  const char *from;
  int to_directory;
  const char *to;
};

template <typename Call>
int rename_path(const Rename &names, Call call) {
  Path from, to;
  if (!is_busy() || !absolute_path(names.from_directory, names.from, from) ||
      !absolute_path(names.to_directory, names.to, to) || !is_watched(to))
    return call();
  const Verdict verdict = judge(Operation::rename, to);
  if (verdict.error != 0) {
    errno = verdict.error;
    return -1;
  }
  const int result = call();
  if (result == 0) count_call(Function::rename, to, 0);
  return result;
}

template <typename Call>
int unlink_path(int directory, const char *path, Call call) {
  Path absolute;
  if (!is_busy() || !absolute_path(directory, path, absolute) || !is_watched(absolute)) return call();
  const Verdict verdict = judge(Operation::unlink, absolute);
  return verdict.error != 0 ? fail_with(verdict.error) : call();
}

}  // namespace

#define SV_SHIM_SYNC(name)                                                \
  SV_SHIM_EXPORT int name(int fd) {                                       \
    static const auto next = real<int(int)>(#name);                       \
    return sync_descriptor(Function::name, fd, [&] { return next(fd); }); \
  }
#define SV_SHIM_TRUNCATE(name)                                                                         \
  SV_SHIM_EXPORT int name(int fd, off64_t bytes) noexcept {                                            \
    static const auto next = real<int(int, off64_t)>(#name);                                           \
    Path path;                                                                                         \
    if (!is_watched(fd, path)) return next(fd, bytes);                                                 \
    if (const int error = judge(Operation::truncate, path).error; error != 0) return fail_with(error); \
    const int result = next(fd, bytes);                                                                \
    if (result == 0) count_call(Function::ftruncate, path, 0);                                         \
    return result;                                                                                     \
  }
#define SV_SHIM_ALLOCATE(name)                                                                         \
  SV_SHIM_EXPORT int name(int fd, int mode, off64_t offset, off64_t bytes) {                           \
    static const auto next = real<int(int, int, off64_t, off64_t)>(#name);                             \
    Path path;                                                                                         \
    if (!is_watched(fd, path)) return next(fd, mode, offset, bytes);                                   \
    if (const int error = judge(Operation::allocate, path).error; error != 0) return fail_with(error); \
    return next(fd, mode, offset, bytes);                                                              \
  }
// It returns its error.
#define SV_SHIM_POSIX_ALLOCATE(name)                                                        \
  SV_SHIM_EXPORT int name(int fd, off64_t offset, off64_t bytes) {                          \
    static const auto next = real<int(int, off64_t, off64_t)>(#name);                       \
    Path path;                                                                              \
    if (!is_watched(fd, path)) return next(fd, offset, bytes);                              \
    if (const int error = judge(Operation::allocate, path).error; error != 0) return error; \
    return next(fd, offset, bytes);                                                         \
  }

SV_DEFINE_OPENING(SV_SHIM_EXPORT)
SV_SHIM_SYNC(fsync)
SV_SHIM_SYNC(fdatasync)
SV_SHIM_TRUNCATE(ftruncate)
SV_SHIM_TRUNCATE(ftruncate64)
SV_SHIM_ALLOCATE(fallocate)
SV_SHIM_ALLOCATE(fallocate64)
SV_SHIM_POSIX_ALLOCATE(posix_fallocate)
SV_SHIM_POSIX_ALLOCATE(posix_fallocate64)

SV_SHIM_EXPORT int close(int fd) {
  static const auto next = real<int(int)>("close");
  Path path;
  if (!is_watched(fd, path)) return next(fd);
  const int flags = fcntl(fd, F_GETFL);
  const bool written = flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
  const Verdict verdict = written ? judge(Operation::close, path) : Verdict{};
  const int result = next(fd);
  if (verdict.error != 0) {
    errno = verdict.error;
    return -1;
  }
  if (result == 0) count_call(Function::close, path, 0);
  return result;
}

SV_SHIM_EXPORT int rename(const char *from, const char *to) noexcept {
  static const auto next = real<int(const char *, const char *)>("rename");
  return rename_path({AT_FDCWD, from, AT_FDCWD, to}, [&] { return next(from, to); });
}

SV_SHIM_EXPORT int renameat(int from_directory, const char *from, int to_directory, const char *to) noexcept {
  static const auto next = real<int(int, const char *, int, const char *)>("renameat");
  return rename_path({from_directory, from, to_directory, to},
                     [&] { return next(from_directory, from, to_directory, to); });
}

SV_SHIM_EXPORT int renameat2(int from_directory, const char *from, int to_directory, const char *to,
                             unsigned flags) noexcept {
  static const auto next = real<int(int, const char *, int, const char *, unsigned)>("renameat2");
  return rename_path({from_directory, from, to_directory, to},
                     [&] { return next(from_directory, from, to_directory, to, flags); });
}

SV_SHIM_EXPORT int unlink(const char *path) noexcept {
  static const auto next = real<int(const char *)>("unlink");
  return unlink_path(AT_FDCWD, path, [&] { return next(path); });
}

SV_SHIM_EXPORT int unlinkat(int directory, const char *path, int flags) noexcept {
  static const auto next = real<int(int, const char *, int)>("unlinkat");
  return unlink_path(directory, path, [&] { return next(directory, path, flags); });
}
