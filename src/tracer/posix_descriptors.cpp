// POSIX: unrecorded functions that change the meaning and position of descriptors. Every way to close one is here or
// is close() itself; files opened otherwise than by open() and its kin are looked up when they are used.
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include "tracer/call.hpp"
#include "tracer/descriptors.hpp"

using sv::profile::Layer;
using sv::profile::Traced;

namespace sv::profile::posix {

int duplicates(int fd, int made) {
  if (made >= 0) duplicated(fd, made);
  return made;
}

off64_t seeks(int fd, off64_t at) {
  Description *const file = description_of(fd);
  if (at >= 0 && file != nullptr) file->move_to(at);
  return at;
}

// Before another thread is given its number.
template <typename Real>
auto closing(int fd, Real real) {
  closes(fd);
  return real();
}

}  // namespace sv::profile::posix

using sv::profile::posix::closing;
using sv::profile::posix::duplicates;

#define SV_POSIX_SEEK(symbol, name)                                                                    \
  SV_POSIX(off64_t, symbol, name, (int fd, off64_t offset, int whence) noexcept, (fd, offset, whence), \
           sv::profile::posix::seeks(fd, real()))
SV_POSIX_SEEK(lseek, "lseek")
SV_POSIX_SEEK(__lseek, "lseek")
SV_POSIX_SEEK(lseek64, "lseek64")

SV_POSIX(int, dup, "dup", (int fd) noexcept, (fd), duplicates(fd, real()))
SV_POSIX(int, dup2, "dup2", (int fd, int to) noexcept, (fd, to), duplicates(fd, real()))
SV_POSIX(int, __dup2, "dup2", (int fd, int to) noexcept, (fd, to), duplicates(fd, real()))
SV_POSIX(int, dup3, "dup3", (int fd, int to, int flags) noexcept, (fd, to, flags), duplicates(fd, real()))

// The argument, where there is one, is a number or an address: both pass as a word.
#define SV_POSIX_FCNTL(symbol, name)                                                               \
  SV_TRACED int symbol(int fd, int command, ...) {                                                 \
    static Traced<int(int, int, ...)> traced(Layer::posix, name);                                  \
    va_list arguments;                                                                             \
    va_start(arguments, command);                                                                  \
    void *const argument = va_arg(arguments, void *);                                              \
    va_end(arguments);                                                                             \
    const int result = traced.real()(fd, command, argument);                                       \
    if (result >= 0 && (command == F_DUPFD || command == F_DUPFD_CLOEXEC)) {                       \
      sv::profile::duplicated(fd, result);                                                         \
    } else if (result >= 0 && command == F_SETFL) {                                                \
      sv::profile::Description *const file = sv::profile::description_of(fd);                      \
      if (file != nullptr) file->appends = (reinterpret_cast<intptr_t>(argument) & O_APPEND) != 0; \
    }                                                                                              \
    return result;                                                                                 \
  }
SV_POSIX_FCNTL(fcntl, "fcntl")
SV_POSIX_FCNTL(__fcntl, "fcntl")
SV_POSIX_FCNTL(fcntl64, "fcntl64")

SV_POSIX(int, pclose, "pclose", (FILE * stream), (stream), closing(fileno(stream), real))
SV_POSIX(FILE *, freopen, "freopen", (const char *path, const char *mode, FILE *stream), (path, mode, stream),
         closing(fileno(stream), real))
SV_POSIX(FILE *, freopen64, "freopen64", (const char *path, const char *mode, FILE *stream), (path, mode, stream),
         closing(fileno(stream), real))
SV_POSIX(int, closedir, "closedir", (DIR * folder), (folder), closing(dirfd(folder), real))

SV_TRACED int close_range(unsigned first, unsigned last, int flags) noexcept {
  static Traced<int(unsigned, unsigned, int)> traced(Layer::posix, "close_range");
  if ((flags & static_cast<int>(CLOSE_RANGE_CLOEXEC)) == 0) sv::profile::closes_all(first, last);
  return traced.real()(first, last, flags);
}

SV_TRACED void closefrom(int first) noexcept {
  static Traced<void(int)> traced(Layer::posix, "closefrom");
  sv::profile::closes_all(static_cast<unsigned>(std::max(first, 0)), ~0U);
  traced.real()(first);
}
