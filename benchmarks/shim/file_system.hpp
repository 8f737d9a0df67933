// A parallel file system that the device emulates, as programs see it: its number, and ioctls. file_system.cpp
// interposes the functions, and lustre.cpp and beegfs.cpp answer them.
#pragma once

#include <sys/types.h>

#include <optional>

namespace sv_shim {

struct FileSystemCalls {
  long number;  // of statfs(2)
  /// The result of ioctl(2) on a file or directory of the device; nothing: it is a request of another one.
  std::optional<int> (*ioctl)(int descriptor, unsigned long request, void *argument);
};

extern const FileSystemCalls lustre_calls, beegfs_calls;

/// The value of the attribute lustre.lov, as fgetxattr(2).
ssize_t lustre_attribute(int descriptor, void *value, size_t size);
/// The file in which BeeGFS lists its targets, opened, if `path` is its name and the device is BeeGFS.
std::optional<int> beegfs_target_list(const char *path);

}  // namespace sv_shim
