// Interposed: everything that transfers data through a descriptor.
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>

#include "call.hpp"
#include "device.hpp"
#include "faults.hpp"

namespace {

using namespace sv_shim;

// A transfer of `bytes` as the caller asked for it: of one buffer, or of several.
struct Request {
  Function function;
  int descriptor;
  int64_t bytes;
  int64_t offset_bytes = Extent::at_position;

  bool writes() const { return function < Function::read; }
};

// `transfer(all)` makes the real call; with all = false only for a part of the data.
template <typename Transfer>
ssize_t carry_out(const Request &request, Transfer transfer) {
  Path path;
  if (!request.writes() && !concerns_reads()) return transfer(true);
  if (!is_watched(request.descriptor, path)) return transfer(true);
  const Verdict verdict = judge(request.writes() ? Operation::write : Operation::read, path);
  if (verdict.error != 0) {
    errno = verdict.error;
    return -1;
  }
  const Configuration &c = configuration();
  const bool slow = is_below(c.device_directory, path) && (request.writes() || c.device_reads);
  const Extent extent{request.descriptor, request.offset_bytes, request.bytes, request.writes()};
  const Reservation reserved = slow ? reserve_device(extent) : Reservation{};
  const ssize_t result = transfer(!verdict.shorten);
  const int error = errno;
  if (slow) sleep_until(reserved.done_ns);
  if (result > 0) {
    count_call(request.function, path, result);
    if (reserved.hand_overs > 0) count_call(Function::hand_over, path, reserved.handed_over_bytes, reserved.hand_overs);
  }
  errno = error;
  return result;
}

size_t half(size_t bytes) { return bytes > 1 ? bytes / 2 : bytes; }

int64_t sum(const iovec *parts, int n_parts) {
  int64_t bytes = 0;
  for (int i = 0; i < n_parts; ++i) bytes += static_cast<int64_t>(parts[i].iov_len);
  return bytes;
}

// The first of several buffers, or half of a single one.
template <typename Transfer>
ssize_t carry_out_parts(Request request, const iovec *parts, int n_parts, Transfer transfer) {
  return carry_out(request, [&](bool all) {
    if (all || n_parts < 1) return transfer(parts, n_parts);
    const iovec first{parts[0].iov_base, n_parts > 1 ? parts[0].iov_len : half(parts[0].iov_len)};
    return transfer(&first, 1);
  });
}

}  // namespace

#define SV_SHIM_FLAT(name, function, pointer)                                              \
  SV_SHIM_EXPORT ssize_t name(int fd, pointer data, size_t bytes) {                        \
    static const auto next = real<ssize_t(int, pointer, size_t)>(#name);                   \
    return carry_out({Function::function, fd, static_cast<int64_t>(bytes)},                \
                     [&](bool all) { return next(fd, data, all ? bytes : half(bytes)); }); \
  }
#define SV_SHIM_FLAT_AT(name, function, pointer)                                                   \
  SV_SHIM_EXPORT ssize_t name(int fd, pointer data, size_t bytes, off64_t offset) {                \
    static const auto next = real<ssize_t(int, pointer, size_t, off64_t)>(#name);                  \
    return carry_out({Function::function, fd, static_cast<int64_t>(bytes), offset},                \
                     [&](bool all) { return next(fd, data, all ? bytes : half(bytes), offset); }); \
  }
#define SV_SHIM_PARTS(name, function)                                                            \
  SV_SHIM_EXPORT ssize_t name(int fd, const iovec *parts, int n) {                               \
    static const auto next = real<ssize_t(int, const iovec *, int)>(#name);                      \
    return carry_out_parts({Function::function, fd, sum(parts, n)}, parts, n,                    \
                           [&](const iovec *some, int count) { return next(fd, some, count); }); \
  }
#define SV_SHIM_PARTS_AT(name, function)                                                                 \
  SV_SHIM_EXPORT ssize_t name(int fd, const iovec *parts, int n, off64_t offset) {                       \
    static const auto next = real<ssize_t(int, const iovec *, int, off64_t)>(#name);                     \
    return carry_out_parts({Function::function, fd, sum(parts, n), offset}, parts, n,                    \
                           [&](const iovec *some, int count) { return next(fd, some, count, offset); }); \
  }
#define SV_SHIM_PARTS_AT_FLAGS(name, function)                                                                  \
  SV_SHIM_EXPORT ssize_t name(int fd, const iovec *parts, int n, off64_t offset, int flags) {                   \
    static const auto next = real<ssize_t(int, const iovec *, int, off64_t, int)>(#name);                       \
    return carry_out_parts({Function::function, fd, sum(parts, n), offset}, parts, n,                           \
                           [&](const iovec *some, int count) { return next(fd, some, count, offset, flags); }); \
  }

SV_SHIM_FLAT(write, write, const void *)
SV_SHIM_FLAT(read, read, void *)
SV_SHIM_FLAT_AT(pwrite, pwrite, const void *)
SV_SHIM_FLAT_AT(pwrite64, pwrite, const void *)
SV_SHIM_FLAT_AT(pread, pread, void *)
SV_SHIM_FLAT_AT(pread64, pread, void *)
SV_SHIM_PARTS(writev, writev)
SV_SHIM_PARTS(readv, readv)
SV_SHIM_PARTS_AT(pwritev, pwritev)
SV_SHIM_PARTS_AT(pwritev64, pwritev)
SV_SHIM_PARTS_AT(preadv, preadv)
SV_SHIM_PARTS_AT(preadv64, preadv)
SV_SHIM_PARTS_AT_FLAGS(pwritev2, pwritev)
SV_SHIM_PARTS_AT_FLAGS(pwritev64v2, pwritev)
SV_SHIM_PARTS_AT_FLAGS(preadv2, preadv)
SV_SHIM_PARTS_AT_FLAGS(preadv64v2, preadv)

// Callers that were compiled with _FORTIFY_SOURCE call these instead; `room` bytes are at `data`.
SV_SHIM_EXPORT ssize_t __read_chk(int fd, void *data, size_t bytes, size_t room) {
  static const auto next = real<ssize_t(int, void *, size_t, size_t)>("__read_chk");
  return carry_out({Function::read, fd, static_cast<int64_t>(bytes)},
                   [&](bool) { return next(fd, data, bytes, room); });
}

#define SV_SHIM_PREAD_CHECKED(name)                                                            \
  SV_SHIM_EXPORT ssize_t name(int fd, void *data, size_t bytes, off64_t offset, size_t room) { \
    static const auto next = real<ssize_t(int, void *, size_t, off64_t, size_t)>(#name);       \
    return carry_out({Function::pread, fd, static_cast<int64_t>(bytes), offset},               \
                     [&](bool) { return next(fd, data, bytes, offset, room); });               \
  }
SV_SHIM_PREAD_CHECKED(__pread_chk)
SV_SHIM_PREAD_CHECKED(__pread64_chk)
