// Which files are traced, and under which names.
#pragma once

#include <string>
#include <string_view>

namespace sv::profile {

/// Whether a file is traced by its absolute name: the patterns of SV_TRACE_FILES say so; or without those, all that
/// belong to neither the system nor Python nor MPI. Known to be a regular file, or to be none yet.
bool is_traced(const char *absolute);

/// Whether files that a program opens by this name, which may be relative, are certainly not traced.
bool is_untraced(const char *path);

/// The absolute name that `path` has for openat(directory). Links on the way are followed; the last component is
/// followed where it exists, unless `itself`. Empty where `directory` is none. Allocates.
std::string absolute_path(int directory, std::string_view path, bool itself = false);

/// The absolute path under which the POSIX layer names the file that `path` is, or will be; empty: it is not traced.
/// Allocates.
std::string traced_path(std::string_view path);

}  // namespace sv::profile
