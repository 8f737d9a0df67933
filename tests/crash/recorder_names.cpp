// Interposed functions that make, change and remove names.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "opening.hpp"
#include "recorder.hpp"

namespace {

using namespace svcrash;

// A name is resolved within the turn of its call: its directory may be missing before the
// turn, and made by another process until then. Such a call would not be recorded.

template <typename Call>
int open_path(int directory, const char *path, int flags, Call call) {
  if ((flags & (O_CREAT | O_TRUNC)) == 0) return call();
  if (!records()) return call();
  Turn turn;
  const std::string name = name_in_directory(directory, path);
  if (name.empty()) return call();
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
int rename_path(Place from, Place to, Kind kind, Call call) {
  if (!records()) return call();
  Turn turn;
  const std::string old_name = name_in_directory(from.directory, from.path);
  const std::string new_name = name_in_directory(to.directory, to.path);
  if (old_name.empty() && new_name.empty()) return call();
  const int result = call();
  if (result != 0) return result;
  if (old_name.empty() || new_name.empty())
    turn.record({0, Kind::foreign, 0, 0, 0, 0, 0}, "rename into or out of the directory");
  turn.record({0, kind, 0, 0, 0, 0, 0}, old_name, new_name);
  return result;
}

template <typename Call>
int link_path(Place to, Call call) {
  if (!records()) return call();
  Turn turn;
  const std::string name = name_in_directory(to.directory, to.path);
  if (name.empty()) return call();
  const int result = call();
  if (result == 0) turn.record({0, Kind::link, inode_of(name), 0, 0, 0, 0}, name);
  return result;
}

template <typename Call>
int make_path(Place place, Call call) {
  if (!records()) return call();
  Turn turn;
  const std::string name = name_in_directory(place.directory, place.path);
  if (name.empty()) return call();
  const int result = call();
  if (result == 0) turn.record({0, Kind::make_directory, 0, 0, 0, 0, 0}, name);
  return result;
}

template <typename Call>
int unlink_path(Place place, Call call) {
  if (!records()) return call();
  Turn turn;
  const std::string name = name_in_directory(place.directory, place.path);
  if (name.empty()) return call();
  const int result = call();
  if (result == 0) turn.record({0, Kind::unlink, 0, 0, 0, 0, 0}, name);
  return result;
}

}  // namespace

SV_DEFINE_OPENING(SV_CRASH_EXPORT)

SV_CRASH_EXPORT int rename(const char *from, const char *to) noexcept {
  static const auto next = real<int(const char *, const char *)>("rename");
  return rename_path({AT_FDCWD, from}, {AT_FDCWD, to}, Kind::rename, [&] { return next(from, to); });
}
SV_CRASH_EXPORT int renameat(int from_directory, const char *from, int to_directory, const char *to) noexcept {
  static const auto next = real<int(int, const char *, int, const char *)>("renameat");
  return rename_path({from_directory, from}, {to_directory, to}, Kind::rename,
                     [&] { return next(from_directory, from, to_directory, to); });
}
SV_CRASH_EXPORT int renameat2(int from_directory, const char *from, int to_directory, const char *to,
                              unsigned flags) noexcept {
  static const auto next = real<int(int, const char *, int, const char *, unsigned)>("renameat2");
  const Kind kind = (flags & RENAME_EXCHANGE) != 0 ? Kind::exchange : Kind::rename;
  return rename_path({from_directory, from}, {to_directory, to}, kind,
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
SV_CRASH_EXPORT int rmdir(const char *path) noexcept {
  static const auto next = real<int(const char *)>("rmdir");
  return unlink_path({AT_FDCWD, path}, [&] { return next(path); });
}
SV_CRASH_EXPORT int mkdir(const char *path, mode_t mode) noexcept {
  static const auto next = real<int(const char *, mode_t)>("mkdir");
  return make_path({AT_FDCWD, path}, [&] { return next(path, mode); });
}
SV_CRASH_EXPORT int mkdirat(int directory, const char *path, mode_t mode) noexcept {
  static const auto next = real<int(int, const char *, mode_t)>("mkdirat");
  return make_path({directory, path}, [&] { return next(directory, path, mode); });
}
