#include "shared_state.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace sv_shim {

const char *const function_names[functions] = {"write", "pwrite", "writev", "pwritev",   "aio_write", "read",
                                               "pread", "readv",  "preadv", "aio_read",  "fsync",     "fdatasync",
                                               "open",  "close",  "rename", "ftruncate", "hand_over"};

namespace {

constexpr int high_descriptor = 200;  // out of the way of shells' own

// The library's own calls go past its interposed functions.
int open_directly(const char *path, int flags) {
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, 0600));
}
void close_directly(int descriptor) { syscall(SYS_close, descriptor); }

int make_state() {
  const int descriptor = memfd_create("sv_shim", 0);
  if (descriptor < 0) return -1;
  // Not closed on exec: a shell that becomes the launcher keeps it.
  const int high = fcntl(descriptor, F_DUPFD, high_descriptor);
  close_directly(descriptor);
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/fd/%d", getpid(), high);
  if (high >= 0 && setenv("SV_SHIM_STATE", path, 1) != 0) return -1;
  return high;
}

// The first process gives the run its number.
void number_run(SharedState &state) {
  int64_t number = 0, unnumbered = 0;
  while (number == 0) {
    if (getrandom(&number, sizeof number, 0) != sizeof number)
      refuse("SV_SHIM_STATE", "", "The system gives no random numbers");
  }
  state.run.compare_exchange_strong(unnumbered, number);
}

/// A name in a directory that all users may write may lead elsewhere, or to another user's file.
int open_state(const char *path) {
  const int itself = std::strncmp(path, "/proc/", 6) == 0 ? 0 : O_NOFOLLOW;  // which is a link, and this process' own
  const int descriptor = open_directly(path, O_RDWR | O_CREAT | O_CLOEXEC | itself);
  struct stat status {};
  if (descriptor < 0) return -1;
  if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid()) return descriptor;
  close_directly(descriptor);
  return -1;
}

SharedState *map_state() {
  const char *given = configuration().state_path;
  const int descriptor = given != nullptr ? open_state(given) : make_state();
  // With its room reserved: on a full file system, memory without room is a signal at the first use.
  const auto has_room = [descriptor] {
    if (syscall(SYS_fallocate, descriptor, 0, 0, sizeof(SharedState)) == 0) return true;
    return errno == EOPNOTSUPP && syscall(SYS_ftruncate, descriptor, sizeof(SharedState)) == 0;
  };
  if (descriptor < 0 || !has_room())
    refuse(
        "SV_SHIM_STATE", given != nullptr ? given : "(a memory file)",
        "It cannot be opened, or has no room: the process that made it has ended, it belongs to somebody else, or its "
        "file system is full");
  void *memory = mmap(nullptr, sizeof(SharedState), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) refuse("SV_SHIM_STATE", given != nullptr ? given : "(a memory file)", std::strerror(errno));
  if (given != nullptr) close_directly(descriptor);
  number_run(*static_cast<SharedState *>(memory));
  return static_cast<SharedState *>(memory);
}

// The state must exist before the first child is started, and the counts be written after the last call.
__attribute__((constructor)) void begin() {
  if (configuration().active) shared_state();
}
__attribute__((destructor)) void end() {
  if (configuration().active && configuration().counts_path != nullptr) write_counts();
}

}  // namespace

SharedState &shared_state() {
  static SharedState *const state = map_state();
  return *state;
}

void write_counts() {
  const char *path = configuration().counts_path;
  const int descriptor = open_directly(path, O_RDWR | O_CREAT | O_CLOEXEC);
  if (descriptor < 0) refuse("SV_SHIM_COUNTS", path, std::strerror(errno));
  flock(descriptor, LOCK_EX);  // values read under the lock are never older than earlier writes
  char text[4096];
  int length = std::snprintf(text, sizeof text, "{");
  for (int f = 0; f < functions; ++f) {
    const Count &count = shared_state().counts[f];
    length += std::snprintf(text + length, sizeof text - static_cast<size_t>(length),
                            "%s\n  \"%s\": {\"calls\": %lld, \"bytes\": %lld}", f > 0 ? "," : "", function_names[f],
                            static_cast<long long>(count.calls.load()), static_cast<long long>(count.bytes.load()));
  }
  length += std::snprintf(text + length, sizeof text - static_cast<size_t>(length), "\n}\n");
  const bool written = syscall(SYS_pwrite64, descriptor, text, static_cast<size_t>(length), 0) == length &&
                       syscall(SYS_ftruncate, descriptor, static_cast<long>(length)) == 0;
  close_directly(descriptor);
  if (!written) refuse("SV_SHIM_COUNTS", path, "It cannot be written");
}

}  // namespace sv_shim
