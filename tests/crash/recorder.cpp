#include "recorder.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace svcrash {
namespace {

struct Recorder {
  std::string directory;  // absolute, without a slash at its end; empty: nothing is recorded
  int log = -1;
  std::atomic<uint32_t> *lock = nullptr;  // the process that has its turn, or 0

  Recorder() {
    const char *where = std::getenv("CRASH_DIR"), *file = std::getenv("CRASH_LOG");
    char path[PATH_MAX];
    if (where == nullptr || file == nullptr || realpath(where, path) == nullptr) return;
    const std::string locks = std::string(file) + ".lock";
    log = real<int(const char *, int, ...)>("open")(file, O_WRONLY | O_APPEND | O_CLOEXEC);
    const int page = real<int(const char *, int, ...)>("open")(locks.c_str(), O_RDWR | O_CLOEXEC);
    if (log < 0 || page < 0) give_up("cannot open CRASH_LOG and its lock");
    const auto map = real<void *(void *, size_t, int, int, int, off64_t)>("mmap");  // ours asks this object
    void *shared = map(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, page, 0);
    if (shared == MAP_FAILED) give_up("cannot map the lock");
    lock = static_cast<std::atomic<uint32_t> *>(shared);
    directory = path;
  }
  [[noreturn]] static void give_up(const char *why) {
    std::fprintf(stderr, "the crash recorder: %s: %s\n", why, std::strerror(errno));
    _exit(126);
  }
};

// Never destroyed: calls come until the process has ended.
Recorder &recorder() {
  static Recorder *const one = new Recorder;
  return *one;
}

thread_local int kept_errno = 0;

}  // namespace

bool records() { return !recorder().directory.empty(); }

Target target_of(int descriptor) {
  if (!records() || descriptor < 0) return {};
  const int error = errno;
  char link[32], path[PATH_MAX];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  errno = error;
  const std::string &directory = recorder().directory;
  const auto below = static_cast<ssize_t>(directory.size());
  if (length < below || std::memcmp(path, directory.data(), directory.size()) != 0) return {};
  struct stat status {};
  if ((length > below && path[below] != '/') || fstat(descriptor, &status) != 0) return {};
  return {S_ISREG(status.st_mode) || S_ISDIR(status.st_mode), S_ISDIR(status.st_mode), status.st_ino,
          length > below ? std::string(path + below + 1, path + length) : std::string()};
}

std::string name_in_directory(int directory, const char *path) {
  if (!records() || path == nullptr) return {};
  const int error = errno;
  std::string given = path;
  if (given.empty() || given[0] != '/') {
    char link[32], base[PATH_MAX];
    std::snprintf(link, sizeof link, directory == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", directory);
    const ssize_t length = readlink(link, base, sizeof base);
    given = length <= 0 ? given : std::string(base, static_cast<size_t>(length)) + "/" + given;
  }
  const size_t slash = given.rfind('/');
  char parent[PATH_MAX];
  const bool found =
      slash != std::string::npos && realpath(slash == 0 ? "/" : given.substr(0, slash).c_str(), parent) != nullptr;
  errno = error;
  if (!found || (parent != recorder().directory &&
                 std::strncmp(parent, (recorder().directory + "/").c_str(), recorder().directory.size() + 1) != 0))
    return {};
  return (std::string(parent) + given.substr(slash)).substr(recorder().directory.size() + 1);
}

uint64_t inode_of(const std::string &name) {
  struct stat status {};
  const int error = errno;
  const bool found = lstat((recorder().directory + "/" + name).c_str(), &status) == 0;
  errno = error;
  return found ? status.st_ino : 0;
}

Turn::Turn() {
  kept_errno = errno;
  const auto mine = static_cast<uint32_t>(getpid());
  for (int tries = 0;; ++tries) {
    uint32_t holder = 0;
    if (recorder().lock->compare_exchange_weak(holder, mine)) break;
    // A process that is killed in its turn leaves it to the others.
    if (tries % 4096 == 4095 && holder != 0 && kill(static_cast<pid_t>(holder), 0) != 0 && errno == ESRCH)
      recorder().lock->compare_exchange_strong(holder, 0);
    sched_yield();
  }
  errno = kept_errno;
}

Turn::~Turn() {
  kept_errno = errno;
  recorder().lock->store(0);
  errno = kept_errno;
}

void Turn::record(Head head, const std::string &name, const std::string &other, const void *data) {
  const int error = errno;
  head.magic = log_magic;
  head.name_bytes = static_cast<uint32_t>(name.size());
  head.other_bytes = static_cast<uint32_t>(other.size());
  const size_t data_bytes = data == nullptr ? 0 : static_cast<size_t>(head.length);
  const iovec parts[] = {{&head, sizeof head},
                         {const_cast<char *>(name.data()), name.size()},
                         {const_cast<char *>(other.data()), other.size()},
                         {const_cast<void *>(data), data_bytes}};
  static const auto next = real<ssize_t(int, const iovec *, int)>("writev");
  const auto wanted = static_cast<ssize_t>(sizeof head + name.size() + other.size() + data_bytes);
  if (next(recorder().log, parts, 4) != wanted) Recorder::give_up("cannot write the log");
  errno = error;
}

}  // namespace svcrash

// The recorded program calls this function, found by dlsym: a word of its own in the order of the operations.
SV_CRASH_EXPORT void sv_crash_mark(const char *text) {
  if (!svcrash::records()) return;
  svcrash::Turn turn;
  turn.record({0, svcrash::Kind::mark, 0, 0, 0, 0, 0}, text);
}
