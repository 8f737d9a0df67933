// POSIX: opening, closing, syncing, cutting, reserving, renaming.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>

#include "tracer/call.hpp"
#include "tracer/descriptors.hpp"
#include "tracer/files.hpp"
#include "tracer/json.hpp"
#include "tracer/process.hpp"

namespace sv::profile::posix {

struct Opening {
  int directory;
  const char *path;
  int flags;
};

// Of a path that could not be opened; 0, and nothing is recorded, where it is not traced.
void report_failure(Call &call, const Opening &opening) {
  call.failed();
  call.argument(Argument::status, errno);
  if (opening.path == nullptr || opening.path[0] == '\0') return;
  const std::string path = absolute_path(opening.directory, opening.path);
  if (is_traced(path.c_str())) {
    call.about(call.recorder().file(path));
  } else {
    call.forget();
  }
}

template <typename Real>
int open_file(TracedName &traced, const Opening &opening, Real real) {
  if (!is_tracing()) return real();
  if (is_untraced(opening.path)) {
    const int descriptor = real();
    if (descriptor >= 0) opened_untraced(descriptor);
    return descriptor;
  }
  Call call(traced);
  const int descriptor = real();
  if (!call) return descriptor;
  const int error = errno;
  call.over();
  call.argument(Argument::mode, opening.flags);
  if (descriptor < 0) {
    report_failure(call, opening);
  } else if (const Description *const file = opened(call.recorder(), descriptor)) {
    call.about(file->file);
  } else {
    call.forget();
  }
  errno = error;
  return descriptor;
}

// Functions that return 0, or -1 (or an error number) after a failure.
template <typename Real>
int change_file(TracedName &traced, int descriptor, int64_t length, Real real) {
  const Description *const file = description_of(descriptor);
  if (file == nullptr) return real();
  Call call(traced);
  call.about(file->file);
  if (length >= 0) call.argument(Argument::length, length);
  return call.results(real());
}

template <typename Real>
int close_file(TracedName &traced, int descriptor, Real real) {
  const Description *const file = known_description_of(descriptor);
  const uint32_t number = file != nullptr ? file->file : 0;
  closes(descriptor);  // before another thread is given its number
  if (file == nullptr) return real();
  Call call(traced);
  call.about(number);
  return call.results(real());
}

struct Renaming {
  int from_directory;
  const char *from;
  int to_directory;
  const char *to;
};

// Recorded with the new name; a note has both.
template <typename Real>
int rename_file(TracedName &traced, const Renaming &names, Real real) {
  if (!is_tracing() || names.from == nullptr || names.to == nullptr) return real();
  std::string from, to;
  {
    const Unseen unseen;
    from = absolute_path(names.from_directory, names.from, true);
    to = absolute_path(names.to_directory, names.to, true);
  }
  if (!is_traced(from.c_str()) && !is_traced(to.c_str())) return real();
  Call call(traced);
  if (!call) return real();
  const uint32_t file = call.recorder().file(to);
  call.about(file);
  const int result = real();
  const int error = errno;
  call.over();
  if (result == 0) {
    call.recorder().note("{\"kind\":\"rename\",\"from\":" + json_string(from) + ",\"to\":" + json_string(to) + "}",
                         file);
  } else {
    call.failed();
    call.argument(Argument::status, error);
  }
  errno = error;
  return result;
}

}  // namespace sv::profile::posix

using sv::profile::Layer;
using sv::profile::Traced;
namespace posix = sv::profile::posix;

// The mode of a file that open() may make.
#define SV_POSIX_MODE(flags, last)              \
  mode_t mode = 0;                              \
  if (((flags) & (O_CREAT | O_TMPFILE)) != 0) { \
    va_list arguments;                          \
    va_start(arguments, last);                  \
    mode = va_arg(arguments, mode_t);           \
    va_end(arguments);                          \
  }
#define SV_POSIX_OPEN(symbol, name)                                                         \
  SV_TRACED int symbol(const char *path, int flags, ...) {                                  \
    static Traced<int(const char *, int, ...)> traced(Layer::posix, name);                  \
    SV_POSIX_MODE(flags, flags)                                                             \
    return posix::open_file(traced, {AT_FDCWD, path, flags},                                \
                            [&, real = traced.real()] { return real(path, flags, mode); }); \
  }
#define SV_POSIX_OPENAT(symbol)                                                                     \
  SV_TRACED int symbol(int folder, const char *path, int flags, ...) {                              \
    static Traced<int(int, const char *, int, ...)> traced(Layer::posix, #symbol);                  \
    SV_POSIX_MODE(flags, flags)                                                                     \
    return posix::open_file(traced, {folder, path, flags},                                          \
                            [&, real = traced.real()] { return real(folder, path, flags, mode); }); \
  }
#define SV_POSIX_CREAT(symbol)                                                  \
  SV_POSIX(int, symbol, #symbol, (const char *path, mode_t mode), (path, mode), \
           posix::open_file(traced, {AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC}, real))
// Functions that callers compiled with _FORTIFY_SOURCE use if the flags are no constant.
#define SV_POSIX_OPEN_CHECKED(symbol)                                          \
  SV_POSIX(int, symbol, #symbol, (const char *path, int flags), (path, flags), \
           posix::open_file(traced, {AT_FDCWD, path, flags}, real))
#define SV_POSIX_OPENAT_CHECKED(symbol)                                                            \
  SV_POSIX(int, symbol, #symbol, (int folder, const char *path, int flags), (folder, path, flags), \
           posix::open_file(traced, {folder, path, flags}, real))
#define SV_POSIX_SYNC(symbol) SV_POSIX(int, symbol, #symbol, (int fd), (fd), posix::change_file(traced, fd, -1, real))
#define SV_POSIX_TRUNCATE(symbol)                                                 \
  SV_POSIX(int, symbol, #symbol, (int fd, off64_t length) noexcept, (fd, length), \
           posix::change_file(traced, fd, length, real))
#define SV_POSIX_RESERVE(symbol)                                                                 \
  SV_POSIX(int, symbol, #symbol, (int fd, off64_t offset, off64_t length), (fd, offset, length), \
           posix::change_file(traced, fd, length, real))
#define SV_POSIX_ALLOCATE(symbol)                                                                                \
  SV_POSIX(int, symbol, #symbol, (int fd, int mode, off64_t offset, off64_t length), (fd, mode, offset, length), \
           posix::change_file(traced, fd, length, real))

// NOLINTBEGIN(clang-analyzer-valist.Uninitialized): it is begun
SV_POSIX_OPEN(open, "open")
SV_POSIX_OPEN(__open, "open")
SV_POSIX_OPEN(open64, "open64")
SV_POSIX_OPEN(__open64, "open64")
SV_POSIX_OPENAT(openat)
SV_POSIX_OPENAT(openat64)
// NOLINTEND(clang-analyzer-valist.Uninitialized)
SV_POSIX_CREAT(creat)
SV_POSIX_CREAT(creat64)
SV_POSIX_OPEN_CHECKED(__open_2)
SV_POSIX_OPEN_CHECKED(__open64_2)
SV_POSIX_OPENAT_CHECKED(__openat_2)
SV_POSIX_OPENAT_CHECKED(__openat64_2)
SV_POSIX_SYNC(fsync)
SV_POSIX_SYNC(fdatasync)
SV_POSIX_TRUNCATE(ftruncate)
SV_POSIX_TRUNCATE(ftruncate64)
SV_POSIX_RESERVE(posix_fallocate)
SV_POSIX_RESERVE(posix_fallocate64)
SV_POSIX_ALLOCATE(fallocate)
SV_POSIX_ALLOCATE(fallocate64)
SV_POSIX(int, close, "close", (int fd), (fd), posix::close_file(traced, fd, real))
SV_POSIX(int, __close, "close", (int fd), (fd), posix::close_file(traced, fd, real))

SV_POSIX(int, rename, "rename", (const char *from, const char *to) noexcept, (from, to),
         posix::rename_file(traced, {AT_FDCWD, from, AT_FDCWD, to}, real))
SV_POSIX(int, renameat, "renameat", (int from_folder, const char *from, int to_folder, const char *to) noexcept,
         (from_folder, from, to_folder, to), posix::rename_file(traced, {from_folder, from, to_folder, to}, real))
SV_POSIX(int, renameat2, "renameat2",
         (int from_folder, const char *from, int to_folder, const char *to, unsigned flags) noexcept,
         (from_folder, from, to_folder, to, flags),
         posix::rename_file(traced, {from_folder, from, to_folder, to}, real))
