// The C library's functions that open files, defined anew: for libraries that are preloaded to see these calls, the
// shim and the recorder of crash states (tests/crash). One source of each of them writes SV_DEFINE_OPENING(...) once,
// where it has
//
//   open_path(directory, path, flags, call)     handles an opening; `call` is the real one
//   real<Type>(name)                            the next function of that name
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include <cstdarg>

// The mode of a file that such a call may make; it comes after `last`.
#define SV_OPENING_MODE(flags, last)          \
  mode_t mode = 0;                            \
  if ((flags & (O_CREAT | O_TMPFILE)) != 0) { \
    va_list arguments;                        \
    va_start(arguments, last);                \
    mode = va_arg(arguments, mode_t);         \
    va_end(arguments);                        \
  }

#define SV_OPENING_OPEN(exported, name)                                               \
  exported int name(const char *path, int flags, ...) {                               \
    static const auto next = real<int(const char *, int, ...)>(#name);                \
    SV_OPENING_MODE(flags, flags)                                                     \
    return open_path(AT_FDCWD, path, flags, [&] { return next(path, flags, mode); }); \
  }
#define SV_OPENING_OPENAT(exported, name)                                                         \
  exported int name(int directory, const char *path, int flags, ...) {                            \
    static const auto next = real<int(int, const char *, int, ...)>(#name);                       \
    SV_OPENING_MODE(flags, flags)                                                                 \
    return open_path(directory, path, flags, [&] { return next(directory, path, flags, mode); }); \
  }
#define SV_OPENING_CREAT(exported, name)                                                              \
  exported int name(const char *path, mode_t mode) {                                                  \
    static const auto next = real<int(const char *, mode_t)>(#name);                                  \
    return open_path(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, [&] { return next(path, mode); }); \
  }
// Callers that were compiled with _FORTIFY_SOURCE call these if the flags are not constant.
#define SV_OPENING_OPEN_CHECKED(exported, name)                                 \
  exported int name(const char *path, int flags) {                              \
    static const auto next = real<int(const char *, int)>(#name);               \
    return open_path(AT_FDCWD, path, flags, [&] { return next(path, flags); }); \
  }
#define SV_OPENING_OPENAT_CHECKED(exported, name)                                           \
  exported int name(int directory, const char *path, int flags) {                           \
    static const auto next = real<int(int, const char *, int)>(#name);                      \
    return open_path(directory, path, flags, [&] { return next(directory, path, flags); }); \
  }

#define SV_DEFINE_OPENING(exported)               \
  SV_OPENING_OPEN(exported, open)                 \
  SV_OPENING_OPEN(exported, open64)               \
  SV_OPENING_OPENAT(exported, openat)             \
  SV_OPENING_OPENAT(exported, openat64)           \
  SV_OPENING_CREAT(exported, creat)               \
  SV_OPENING_CREAT(exported, creat64)             \
  SV_OPENING_OPEN_CHECKED(exported, __open_2)     \
  SV_OPENING_OPEN_CHECKED(exported, __open64_2)   \
  SV_OPENING_OPENAT_CHECKED(exported, __openat_2) \
  SV_OPENING_OPENAT_CHECKED(exported, __openat64_2)
