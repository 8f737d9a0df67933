// Interposed functions that change the bytes and the length of files, and that synchronise them.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "recorder.hpp"

namespace {

using namespace svcrash;

constexpr off64_t at_position = -1;

struct Piece {
  const void *data;
  size_t bytes;
};

void record_written(Turn &turn, int fd, uint64_t inode, off64_t offset, const Piece &piece) {
  turn.record({0, Kind::write, inode, offset, static_cast<int64_t>(piece.bytes), 0, 0}, {}, {}, piece.data);
  const int flags = fcntl(fd, F_GETFL);
  if (flags >= 0 && (flags & O_DSYNC) != 0) turn.record({0, Kind::sync, inode, 0, 0, 0, 0});
}

template <typename Call>
ssize_t write_flat(int fd, const void *data, off64_t offset, Call call) {
  const Target target = target_of(fd);
  if (!target.watched) return call();
  Turn turn;
  const ssize_t done = call();
  if (done <= 0) return done;
  const off64_t at = offset != at_position ? offset : lseek64(fd, 0, SEEK_CUR) - done;
  record_written(turn, fd, target.inode, at, {data, static_cast<size_t>(done)});
  return done;
}

template <typename Call>
ssize_t write_parts(int fd, const iovec *parts, int n, off64_t offset, Call call) {
  const Target target = target_of(fd);
  if (!target.watched) return call();
  Turn turn;
  const ssize_t done = call();
  if (done <= 0) return done;
  std::vector<char> joined;
  for (int i = 0; i < n && joined.size() < static_cast<size_t>(done); ++i) {
    const auto *from = static_cast<const char *>(parts[i].iov_base);
    joined.insert(joined.end(), from, from + parts[i].iov_len);
  }
  const off64_t at = offset != at_position ? offset : lseek64(fd, 0, SEEK_CUR) - done;
  record_written(turn, fd, target.inode, at, {joined.data(), static_cast<size_t>(done)});
  return done;
}

template <typename Call>
int resize_open(int fd, off64_t length, Call call) {
  const Target target = target_of(fd);
  if (!target.watched) return call();
  Turn turn;
  const int result = call();
  if (result == 0) turn.record({0, Kind::resize, target.inode, length, 0, 0, 0});
  return result;
}

template <typename Call>
int resize_named(const char *path, off64_t length, Call call) {
  const std::string name = name_in_directory(AT_FDCWD, path);
  if (name.empty()) return call();
  Turn turn;
  const int result = call();
  if (result == 0) turn.record({0, Kind::resize, inode_of(name), length, 0, 0, 0});
  return result;
}

/// Lengthens as fallocate does: where the range ends beyond the file.
template <typename Call>
int allocate(int fd, int mode, off64_t offset, off64_t length, Call call) {
  const Target target = target_of(fd);
  if (!target.watched) return call();
  Turn turn;
  const off64_t before = lseek64(fd, 0, SEEK_CUR), end = lseek64(fd, 0, SEEK_END);
  lseek64(fd, before, SEEK_SET);
  const int result = call();
  if (result != 0) return result;
  if ((mode & ~(FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE)) != 0)
    turn.record({0, Kind::foreign, target.inode, 0, 0, 0, 0}, "fallocate of another mode");
  if ((mode & (FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE)) != 0)
    turn.record({0, Kind::zero, target.inode, offset, length, 0, 0});
  if ((mode & FALLOC_FL_KEEP_SIZE) == 0 && offset + length > end)
    turn.record({0, Kind::resize, target.inode, offset + length, 0, 0, 0});
  return result;
}

template <typename Call>
int sync_open(int fd, Call call) {
  const Target target = target_of(fd);
  if (!target.watched) return call();
  Turn turn;
  const int result = call();
  if (result != 0) return result;
  if (target.directory)
    turn.record({0, Kind::sync_directory, target.inode, 0, 0, 0, 0}, target.name);
  else
    turn.record({0, Kind::sync, target.inode, 0, 0, 0, 0});
  return result;
}

}  // namespace

SV_CRASH_EXPORT ssize_t write(int fd, const void *data, size_t bytes) {
  static const auto next = real<ssize_t(int, const void *, size_t)>("write");
  return write_flat(fd, data, at_position, [&] { return next(fd, data, bytes); });
}
SV_CRASH_EXPORT ssize_t writev(int fd, const iovec *parts, int n) {
  static const auto next = real<ssize_t(int, const iovec *, int)>("writev");
  return write_parts(fd, parts, n, at_position, [&] { return next(fd, parts, n); });
}

#define SV_CRASH_WRITE_AT(name)                                                          \
  SV_CRASH_EXPORT ssize_t name(int fd, const void *data, size_t bytes, off64_t offset) { \
    static const auto next = real<ssize_t(int, const void *, size_t, off64_t)>(#name);   \
    return write_flat(fd, data, offset, [&] { return next(fd, data, bytes, offset); });  \
  }
#define SV_CRASH_WRITE_PARTS(name)                                                        \
  SV_CRASH_EXPORT ssize_t name(int fd, const iovec *parts, int n, off64_t offset) {       \
    static const auto next = real<ssize_t(int, const iovec *, int, off64_t)>(#name);      \
    return write_parts(fd, parts, n, offset, [&] { return next(fd, parts, n, offset); }); \
  }
#define SV_CRASH_RESIZE(name)                                         \
  SV_CRASH_EXPORT int name(int fd, off64_t length) noexcept {         \
    static const auto next = real<int(int, off64_t)>(#name);          \
    return resize_open(fd, length, [&] { return next(fd, length); }); \
  }
#define SV_CRASH_RESIZE_NAMED(name)                                        \
  SV_CRASH_EXPORT int name(const char *path, off64_t length) noexcept {    \
    static const auto next = real<int(const char *, off64_t)>(#name);      \
    return resize_named(path, length, [&] { return next(path, length); }); \
  }
#define SV_CRASH_ALLOCATE(name)                                                                \
  SV_CRASH_EXPORT int name(int fd, int mode, off64_t offset, off64_t length) {                 \
    static const auto next = real<int(int, int, off64_t, off64_t)>(#name);                     \
    return allocate(fd, mode, offset, length, [&] { return next(fd, mode, offset, length); }); \
  }
#define SV_CRASH_ALLOCATE_PLAIN(name)                                                 \
  SV_CRASH_EXPORT int name(int fd, off64_t offset, off64_t length) {                  \
    static const auto next = real<int(int, off64_t, off64_t)>(#name);                 \
    return allocate(fd, 0, offset, length, [&] { return next(fd, offset, length); }); \
  }
#define SV_CRASH_SYNC(name)                         \
  SV_CRASH_EXPORT int name(int fd) {                \
    static const auto next = real<int(int)>(#name); \
    return sync_open(fd, [&] { return next(fd); }); \
  }

SV_CRASH_WRITE_AT(pwrite)
SV_CRASH_WRITE_AT(pwrite64)
SV_CRASH_WRITE_PARTS(pwritev)
SV_CRASH_WRITE_PARTS(pwritev64)
SV_CRASH_RESIZE(ftruncate)
SV_CRASH_RESIZE(ftruncate64)
SV_CRASH_RESIZE_NAMED(truncate)
SV_CRASH_RESIZE_NAMED(truncate64)
SV_CRASH_ALLOCATE(fallocate)
SV_CRASH_ALLOCATE(fallocate64)
SV_CRASH_ALLOCATE_PLAIN(posix_fallocate)
SV_CRASH_ALLOCATE_PLAIN(posix_fallocate64)
SV_CRASH_SYNC(fsync)
SV_CRASH_SYNC(fdatasync)

// Data that are copied inside the kernel are read back: the log holds bytes.
SV_CRASH_EXPORT ssize_t copy_file_range(int from, off64_t *from_offset, int to, off64_t *to_offset, size_t bytes,
                                        unsigned flags) {
  static const auto next = real<ssize_t(int, off64_t *, int, off64_t *, size_t, unsigned)>("copy_file_range");
  const Target target = target_of(to);
  if (!target.watched) return next(from, from_offset, to, to_offset, bytes, flags);
  Turn turn;
  const off64_t source = from_offset != nullptr ? *from_offset : lseek64(from, 0, SEEK_CUR);
  const off64_t at = to_offset != nullptr ? *to_offset : lseek64(to, 0, SEEK_CUR);
  const ssize_t done = next(from, from_offset, to, to_offset, bytes, flags);
  if (done <= 0) return done;
  std::vector<char> copied(static_cast<size_t>(done));
  if (pread64(from, copied.data(), copied.size(), source) != done)
    turn.record({0, Kind::foreign, target.inode, 0, 0, 0, 0}, "copy_file_range that cannot be read back");
  record_written(turn, to, target.inode, at, {copied.data(), copied.size()});
  return done;
}

SV_CRASH_EXPORT void *mmap(void *address, size_t bytes, int protection, int flags, int fd, off64_t offset) noexcept {
  static const auto next = real<void *(void *, size_t, int, int, int, off64_t)>("mmap");
  if (fd >= 0 && (protection & PROT_WRITE) != 0 && (flags & MAP_SHARED) != 0 && (flags & MAP_ANONYMOUS) == 0) {
    const Target target = target_of(fd);
    if (target.watched) {
      Turn turn;
      turn.record({0, Kind::foreign, target.inode, 0, 0, 0, 0}, "mmap for writing");
    }
  }
  return next(address, bytes, protection, flags, fd, offset);
}
