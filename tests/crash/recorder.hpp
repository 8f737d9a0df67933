// How a call is recorded. CRASH_DIR is the directory whose files are recorded, CRASH_LOG the log that all
// processes of the run append to, CRASH_LOG.lock a file of a page that holds their lock; the campaign makes both.
#pragma once

#include <dlfcn.h>
#include <sys/types.h>

#include <cstdint>
#include <string>

#include "log_format.hpp"

#define SV_CRASH_EXPORT extern "C" __attribute__((visibility("default")))

namespace svcrash {

/// The next function of that name after the recorder's own. `Type` is the type of a function.
template <typename Type>
Type *real(const char *name) {
  return reinterpret_cast<Type *>(dlsym(RTLD_NEXT, name));
}

/// Whether anything is recorded in this process.
bool records();
/// Whether the descriptor is that of a file in the directory, or of a directory there; its inode, and its name, which
/// is empty for the whole.
struct Target {
  bool watched = false, directory = false;
  uint64_t inode = 0;
  std::string name = {};
};
Target target_of(int descriptor);
/// The name in the directory that `path` means to a call at(directory); empty where it is elsewhere.
std::string name_in_directory(int directory, const char *path);
/// The inode that has this name; 0 where nothing has.
uint64_t inode_of(const std::string &name);

/// From here to its end, no other process or thread carries out a recorded call: the real call and its record are one.
/// Keeps errno.
class Turn {
 public:
  Turn();
  ~Turn();
  Turn(const Turn &) = delete;
  void record(Head head, const std::string &name = {}, const std::string &other = {}, const void *data = nullptr);
};

}  // namespace svcrash
