// Interposed: what makes, changes and removes names.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>

#include "recorder.hpp"

namespace {

using namespace svcrash;

template <typename Call>
int open_path(int directory, const char *path, int flags, Call call) {
  if ((flags & (O_CREAT | O_TRUNC)) == 0) return call();
  const std::string name = name_in_directory(directory, path);
  if (name.empty()) return call();
  Turn turn;
  const uint64_t before = inode_of(name);
  const int fd = call();
  if (fd < 0) return fd;
  const Target target = target_of(fd);
  if ((flags & O_TMPFILE) == O_TMPFILE)
    turn.record({0, Kind::create, target.inode, 0, 0, 0, 0});
  else if (before == 0)
    turn.record({0, Kind::create, target.inode, 0, 0, 0, 0}, name);
  else if ((flags & O_TRUNC) != 0)
    turn.record({0, Kind::resize, target.inode, 0, 0, 0, 0});
  return fd;
}

struct Place {
  int directory;
  const char *path;
};

template <typename Call>
int rename_path(Place from, Place to, Call call) {
  const std::string old_name = name_in_directory(from.directory, from.path);
  const std::string new_name = name_in_directory(to.directory, to.path);
  if (old_name.empty() && new_name.empty()) return call();
  Turn turn;
  const int result = call();
  if (result != 0) return result;
  if (old_name.empty() || new_name.empty())
    turn.record({0, Kind::foreign, 0, 0, 0, 0, 0}, "rename into or out of the directory");
  turn.record({0, Kind::rename, 0, 0, 0, 0, 0}, old_name, new_name);
  return result;
}

template <typename Call>
int link_path(Place to, Call call) {
  const std::string name = name_in_directory(to.directory, to.path);
  if (name.empty()) return call();
  Turn turn;
  const int result = call();
  if (result == 0) turn.record({0, Kind::link, inode_of(name), 0, 0, 0, 0}, name);
  return result;
}

template <typename Call>
int unlink_path(Place place, Call call) {
  const std::string name = name_in_directory(place.directory, place.path);
  if (name.empty()) return call();
  Turn turn;
  const int result = call();
  if (result == 0) turn.record({0, Kind::unlink, 0, 0, 0, 0, 0}, name);
  return result;
}

// The mode of a file that open() may make.
#define SV_CRASH_MODE(flags, last)            \
  mode_t mode = 0;                            \
  if ((flags & (O_CREAT | O_TMPFILE)) != 0) { \
    va_list arguments;                        \
    va_start(arguments, last);                \
    mode = va_arg(arguments, mode_t);         \
    va_end(arguments);                        \
  }

}  // namespace

#define SV_CRASH_OPEN(name)                                                           \
  SV_CRASH_EXPORT int name(const char *path, int flags, ...) {                        \
    static const auto next = real<int(const char *, int, ...)>(#name);                \
    SV_CRASH_MODE(flags, flags)                                                       \
    return open_path(AT_FDCWD, path, flags, [&] { return next(path, flags, mode); }); \
  }
#define SV_CRASH_OPENAT(name)                                                                     \
  SV_CRASH_EXPORT int name(int directory, const char *path, int flags, ...) {                     \
    static const auto next = real<int(int, const char *, int, ...)>(#name);                       \
    SV_CRASH_MODE(flags, flags)                                                                   \
    return open_path(directory, path, flags, [&] { return next(directory, path, flags, mode); }); \
  }
#define SV_CRASH_CREAT(name)                                                                          \
  SV_CRASH_EXPORT int name(const char *path, mode_t mode) {                                           \
    static const auto next = real<int(const char *, mode_t)>(#name);                                  \
    return open_path(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, [&] { return next(path, mode); }); \
  }

SV_CRASH_OPEN(open)
SV_CRASH_OPEN(open64)
SV_CRASH_OPENAT(openat)
SV_CRASH_OPENAT(openat64)
SV_CRASH_CREAT(creat)
SV_CRASH_CREAT(creat64)

SV_CRASH_EXPORT int rename(const char *from, const char *to) noexcept {
  static const auto next = real<int(const char *, const char *)>("rename");
  return rename_path({AT_FDCWD, from}, {AT_FDCWD, to}, [&] { return next(from, to); });
}
SV_CRASH_EXPORT int renameat(int from_directory, const char *from, int to_directory, const char *to) noexcept {
  static const auto next = real<int(int, const char *, int, const char *)>("renameat");
  return rename_path({from_directory, from}, {to_directory, to},
                     [&] { return next(from_directory, from, to_directory, to); });
}
SV_CRASH_EXPORT int renameat2(int from_directory, const char *from, int to_directory, const char *to,
                              unsigned flags) noexcept {
  static const auto next = real<int(int, const char *, int, const char *, unsigned)>("renameat2");
  if ((flags & RENAME_EXCHANGE) != 0 && !name_in_directory(to_directory, to).empty()) {
    Turn turn;
    turn.record({0, Kind::foreign, 0, 0, 0, 0, 0}, "renameat2 that exchanges");
  }
  return rename_path({from_directory, from}, {to_directory, to},
                     [&] { return next(from_directory, from, to_directory, to, flags); });
}
SV_CRASH_EXPORT int link(const char *from, const char *to) noexcept {
  static const auto next = real<int(const char *, const char *)>("link");
  return link_path({AT_FDCWD, to}, [&] { return next(from, to); });
}
SV_CRASH_EXPORT int linkat(int from_directory, const char *from, int to_directory, const char *to, int flags) noexcept {
  static const auto next = real<int(int, const char *, int, const char *, int)>("linkat");
  return link_path({to_directory, to}, [&] { return next(from_directory, from, to_directory, to, flags); });
}
SV_CRASH_EXPORT int unlink(const char *path) noexcept {
  static const auto next = real<int(const char *)>("unlink");
  return unlink_path({AT_FDCWD, path}, [&] { return next(path); });
}
SV_CRASH_EXPORT int unlinkat(int directory, const char *path, int flags) noexcept {
  static const auto next = real<int(int, const char *, int)>("unlinkat");
  return unlink_path({directory, path}, [&] { return next(directory, path, flags); });
}
SV_CRASH_EXPORT int remove(const char *path) noexcept {
  static const auto next = real<int(const char *)>("remove");
  return unlink_path({AT_FDCWD, path}, [&] { return next(path); });
}
