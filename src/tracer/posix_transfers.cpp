// POSIX: everything that moves bytes through a descriptor.
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>

#include "tracer/call.hpp"
#include "tracer/descriptors.hpp"

namespace sv::profile::posix {

constexpr int64_t at_position = -1;

// `offset`: at_position moves the position. `real` calls the real function.
template <typename Real>
ssize_t transfer(TracedName &traced, int descriptor, int64_t offset, Real real) {
  Description *const file = description_of(descriptor);
  if (file == nullptr) return real();
  Call call(traced);
  call.about(file->file);
  call.offset(offset == at_position ? file->offset() : offset);
  const ssize_t moved = real();
  call.over();
  if (moved < 0) {
    call.failed();
    call.argument(Argument::status, errno);
  } else if (offset == at_position) {
    file->move_by(moved);
  }
  call.bytes(moved < 0 ? 0 : moved);
  return moved;
}

/// The descriptors of a copy inside the kernel, and the offsets; a null pointer moves the descriptor's position.
struct KernelCopy {
  int in;
  const off64_t *in_at;
  int out;
  const off64_t *out_at;
};

// Copies inside the kernel: one call of the file that is written, and within it one of the file that is read, which the
// trace names with "_from". A file that is not traced, such as a socket, has none.
template <typename Real>
ssize_t copy(TracedName &writing, TracedName &reading, const KernelCopy &files, Real real) {
  const auto place = [](const off64_t *offset) { return offset != nullptr ? *offset : at_position; };
  return transfer(writing, files.out, place(files.out_at),
                  [&] { return transfer(reading, files.in, place(files.in_at), real); });
}

}  // namespace sv::profile::posix

using sv::profile::Layer;
using sv::profile::Traced;
using sv::profile::posix::at_position;
using sv::profile::posix::transfer;

#define SV_POSIX_FLAT(symbol, name, pointer)                                               \
  SV_POSIX(ssize_t, symbol, name, (int fd, pointer data, size_t bytes), (fd, data, bytes), \
           transfer(traced, fd, at_position, real))
#define SV_POSIX_FLAT_AT(symbol, name, pointer)                                                                    \
  SV_POSIX(ssize_t, symbol, name, (int fd, pointer data, size_t bytes, off64_t offset), (fd, data, bytes, offset), \
           transfer(traced, fd, offset, real))
#define SV_POSIX_PARTS(symbol)                                                            \
  SV_POSIX(ssize_t, symbol, #symbol, (int fd, const iovec *parts, int n), (fd, parts, n), \
           transfer(traced, fd, at_position, real))
#define SV_POSIX_PARTS_AT(symbol)                                                                                 \
  SV_POSIX(ssize_t, symbol, #symbol, (int fd, const iovec *parts, int n, off64_t offset), (fd, parts, n, offset), \
           transfer(traced, fd, offset, real))
#define SV_POSIX_PARTS_AT_FLAGS(symbol)                                                              \
  SV_POSIX(ssize_t, symbol, #symbol, (int fd, const iovec *parts, int n, off64_t offset, int flags), \
           (fd, parts, n, offset, flags), transfer(traced, fd, offset, real))

SV_POSIX_FLAT(read, "read", void *)
SV_POSIX_FLAT(__read, "read", void *)
SV_POSIX_FLAT(write, "write", const void *)
SV_POSIX_FLAT(__write, "write", const void *)
SV_POSIX_FLAT_AT(pread, "pread", void *)
SV_POSIX_FLAT_AT(pread64, "pread64", void *)
SV_POSIX_FLAT_AT(__pread64, "pread64", void *)
SV_POSIX_FLAT_AT(pwrite, "pwrite", const void *)
SV_POSIX_FLAT_AT(pwrite64, "pwrite64", const void *)
SV_POSIX_FLAT_AT(__pwrite64, "pwrite64", const void *)
SV_POSIX_PARTS(readv)
SV_POSIX_PARTS(writev)
SV_POSIX_PARTS_AT(preadv)
SV_POSIX_PARTS_AT(preadv64)
SV_POSIX_PARTS_AT(pwritev)
SV_POSIX_PARTS_AT(pwritev64)
SV_POSIX_PARTS_AT_FLAGS(preadv2)
SV_POSIX_PARTS_AT_FLAGS(preadv64v2)
SV_POSIX_PARTS_AT_FLAGS(pwritev2)
SV_POSIX_PARTS_AT_FLAGS(pwritev64v2)

// Functions that callers compiled with _FORTIFY_SOURCE use instead; `room` bytes are at `data`.
#define SV_POSIX_PREAD_CHECKED(symbol)                                                                \
  SV_POSIX(ssize_t, symbol, #symbol, (int fd, void *data, size_t bytes, off64_t offset, size_t room), \
           (fd, data, bytes, offset, room), transfer(traced, fd, offset, real))
SV_POSIX(ssize_t, __read_chk, "__read_chk",  // NOLINT(bugprone-reserved-identifier)
         (int fd, void *data, size_t bytes, size_t room), (fd, data, bytes, room),
         transfer(traced, fd, at_position, real))
SV_POSIX_PREAD_CHECKED(__pread_chk)
SV_POSIX_PREAD_CHECKED(__pread64_chk)

SV_TRACED ssize_t copy_file_range(int in, off64_t *in_at, int out, off64_t *out_at, size_t bytes, unsigned flags) {
  static Traced<ssize_t(int, off64_t *, int, off64_t *, size_t, unsigned)> traced(Layer::posix, "copy_file_range");
  static sv::profile::TracedName reading(Layer::posix, "copy_file_range_from");
  return sv::profile::posix::copy(traced, reading, {in, in_at, out, out_at},
                                  [&, real = traced.real()] { return real(in, in_at, out, out_at, bytes, flags); });
}

#define SV_POSIX_SENDFILE(symbol)                                                                        \
  SV_TRACED ssize_t symbol(int out, int in, off64_t *offset, size_t bytes) noexcept {                    \
    static Traced<ssize_t(int, int, off64_t *, size_t)> traced(Layer::posix, #symbol);                   \
    static sv::profile::TracedName reading(Layer::posix, #symbol "_from");                               \
    return sv::profile::posix::copy(traced, reading, {in, offset, out, nullptr},                         \
                                    [&, real = traced.real()] { return real(out, in, offset, bytes); }); \
  }
SV_POSIX_SENDFILE(sendfile)
SV_POSIX_SENDFILE(sendfile64)
