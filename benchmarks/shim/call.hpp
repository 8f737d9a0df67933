// The parts of every interposed function: the real one, its path, and the counters.
#pragma once

#include <dlfcn.h>

#include <cerrno>
#include <climits>
#include <cstdint>

#include "shared_state.hpp"

#define SV_SHIM_EXPORT extern "C" __attribute__((visibility("default")))

namespace sv_shim {

using Path = char[PATH_MAX];

/// The next function of that name after the shim's own. `Type` is the type of a function.
template <typename Type>
Type *real(const char *name) {
  return reinterpret_cast<Type *>(dlsym(RTLD_NEXT, name));
}

/// Whether the shim has anything to do at present, with any file.
bool is_busy();
/// The same, with reading: where it has not, no name is looked for, which would take longer than a short read.
bool concerns_reads();
/// Whether the shim has anything to do with files at `path`.
bool is_watched(const char *path);
/// The same for a descriptor, whose absolute path it finds; also false if it is not a file.
bool is_watched(int descriptor, Path &path);
/// The absolute path of `path` for openat(directory), which need not exist. False if it has none.
bool absolute_path(int directory, const char *path, Path &absolute);
/// The result of a call that fails with this errno.
inline int fail_with(int error) {
  errno = error;
  return -1;
}
/// Counts calls that succeeded, on files of the count directory.
void count_call(Function function, const char *path, int64_t bytes, int64_t calls = 1);

}  // namespace sv_shim
