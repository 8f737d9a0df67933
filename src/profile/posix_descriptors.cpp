// POSIX: what is not recorded, but changes what descriptors mean and where they are. Every way to close one is here or
// is close() itself; files opened otherwise than by open() and its kin are looked up when they are used.
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include "profile/call.hpp"
#include "profile/descriptors.hpp"

using sv::profile::Layer;
using sv::profile::Traced;

#define SV_POSIX_SEEK(symbol, name)                                         \
  SV_TRACED off64_t symbol(int fd, off64_t offset, int whence) noexcept {   \
    static Traced<off64_t(int, off64_t, int)> traced(Layer::posix, name);   \
    const off64_t at = traced.real()(fd, offset, whence);                   \
    sv::profile::Description *const file = sv::profile::description_of(fd); \
    if (at >= 0 && file != nullptr) file->move_to(at);                      \
    return at;                                                              \
  }
SV_POSIX_SEEK(lseek, "lseek")
SV_POSIX_SEEK(__lseek, "lseek")
SV_POSIX_SEEK(lseek64, "lseek64")

SV_TRACED int dup(int fd) noexcept {
  static Traced<int(int)> traced(Layer::posix, "dup");
  const int made = traced.real()(fd);
  if (made >= 0) sv::profile::duplicated(fd, made);
  return made;
}

#define SV_POSIX_DUP2(symbol)                                  \
  SV_TRACED int symbol(int fd, int to) noexcept {              \
    static Traced<int(int, int)> traced(Layer::posix, "dup2"); \
    const int made = traced.real()(fd, to);                    \
    if (made >= 0) sv::profile::duplicated(fd, made);          \
    return made;                                               \
  }
SV_POSIX_DUP2(dup2)
SV_POSIX_DUP2(__dup2)

SV_TRACED int dup3(int fd, int to, int flags) noexcept {
  static Traced<int(int, int, int)> traced(Layer::posix, "dup3");
  const int made = traced.real()(fd, to, flags);
  if (made >= 0) sv::profile::duplicated(fd, made);
  return made;
}

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

#define SV_POSIX_CLOSE_STREAM(symbol)                         \
  SV_TRACED int symbol(FILE *stream) {                        \
    static Traced<int(FILE *)> traced(Layer::posix, #symbol); \
    sv::profile::closes(fileno(stream));                      \
    return traced.real()(stream);                             \
  }
SV_POSIX_CLOSE_STREAM(pclose)

#define SV_POSIX_REOPEN(symbol)                                                              \
  SV_TRACED FILE *symbol(const char *path, const char *mode, FILE *stream) {                 \
    static Traced<FILE *(const char *, const char *, FILE *)> traced(Layer::posix, #symbol); \
    sv::profile::closes(fileno(stream));                                                     \
    return traced.real()(path, mode, stream);                                                \
  }
SV_POSIX_REOPEN(freopen)
SV_POSIX_REOPEN(freopen64)

SV_TRACED int closedir(DIR *folder) {
  static Traced<int(DIR *)> traced(Layer::posix, "closedir");
  sv::profile::closes(dirfd(folder));
  return traced.real()(folder);
}

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
