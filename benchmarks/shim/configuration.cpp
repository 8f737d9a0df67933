#include "configuration.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace sv_shim {

namespace {

struct Kind {
  const char *name;
  Operation operation;
  Effect effect;
  int error;
};
constexpr Kind kinds[] = {{"enospc", Operation::write, Effect::error, ENOSPC},
                          {"eio", Operation::write, Effect::error, EIO},
                          {"short", Operation::write, Effect::shorten, 0},
                          {"kill", Operation::write, Effect::kill, 0},
                          {"read", Operation::read, Effect::error, EIO},
                          {"fsync", Operation::sync, Effect::error, EIO},
                          {"close", Operation::close, Effect::error, EIO},
                          {"rename", Operation::rename, Effect::error, EIO},
                          {"open", Operation::open, Effect::error, EACCES},
                          {"truncate", Operation::truncate, Effect::error, EIO},
                          {"allocate", Operation::allocate, Effect::error, ENOSPC},
                          {"unlink", Operation::unlink, Effect::error, EIO},
                          {"slow_sync", Operation::sync, Effect::delay, 100},
                          {"delay", Operation::any, Effect::delay, 100}};

const char *variable(const char *name) {
  const char *value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

bool is_on(const char *name) {
  const char *value = variable(name);
  return value != nullptr && std::strcmp(value, "0") != 0;
}

// Not resolved further than it exists: a test may make the directory later.
Directory directory_of(const char *value) {
  Directory directory{};
  if (value == nullptr) return directory;
  char resolved[PATH_MAX], here[PATH_MAX];
  if (realpath(value, resolved) != nullptr) {
    std::snprintf(directory.path, sizeof directory.path, "%s", resolved);
  } else if (value[0] == '/' || getcwd(here, sizeof here) == nullptr) {
    std::snprintf(directory.path, sizeof directory.path, "%s", value);
  } else {
    std::snprintf(directory.path, sizeof directory.path, "%.2000s/%.2000s", here, value);
  }
  directory.length = static_cast<int>(std::strlen(directory.path));
  while (directory.length > 1 && directory.path[directory.length - 1] == '/') directory.path[--directory.length] = '\0';
  return directory;
}

void read_device(Configuration &c) {
  const char *value = variable("SV_DEVICE");
  if (value == nullptr) return;
  if (const char *remedy = read_device(value, c.device)) refuse("SV_DEVICE", value, remedy);
  c.device_reads = is_on("SV_DEVICE_READS");
  c.device_directory = directory_of(variable("SV_DEVICE_DIR"));
  if (c.device_directory.length == 0) refuse("SV_DEVICE_DIR", "", "Give the directory whose files are on the device");
}

bool read_fault(const char *&text, Fault &fault) {
  for (const Kind &kind : kinds) {
    const size_t length = std::strlen(kind.name);
    if (std::strncmp(text, kind.name, length) != 0 || text[length] != '@') continue;
    char *end = nullptr;
    const long long first = std::strtoll(text + length + 1, &end, 10);
    long long last = LLONG_MAX;
    if (first < 1) return false;
    if (std::strncmp(end, "..", 2) == 0) last = std::strtoll(end + 2, &end, 10);
    if (last < first) return false;
    fault = {kind.operation, kind.effect, kind.error, first, last};
    text = end;
    return true;
  }
  return false;
}

bool read_all_faults(const char *text, Configuration &c) {
  c.n_faults = 0;
  if (*text == '\0') return true;
  do {
    if (c.n_faults == max_faults || !read_fault(text, c.faults[c.n_faults])) return false;
    ++c.n_faults;
  } while (*text++ == ',');
  return text[-1] == '\0';
}

void read_faults(Configuration &c) {
  c.fault_directory = directory_of(variable("SV_INJECT_DIR"));
  const char *value = variable("SV_INJECT");
  if (value == nullptr) return;
  if (!read_all_faults(value, c))
    refuse(
        "SV_INJECT", value,
        "Give kind@N (from the Nth on) or kind@N..M, kinds enospc, eio, short, kill, read, fsync, close, rename, open, "
        "truncate, allocate, unlink, slow_sync, delay; at most 16, separated by commas");
  if (c.fault_directory.length == 0) refuse("SV_INJECT_DIR", "", "Give the directory whose files fail");
  c.fault_match = variable("SV_INJECT_MATCH");
  c.faults_per_process = is_on("SV_INJECT_PER_PROCESS");
  if (const char *rank = variable("SV_INJECT_RANK")) {
    const char *mine = variable("OMPI_COMM_WORLD_RANK");
    if (mine == nullptr) mine = variable("PMI_RANK");
    c.faults_on_this_rank = mine != nullptr && std::strcmp(mine, rank) == 0;
  }
}

Configuration read_configuration() {
  Configuration c;
  read_device(c);
  read_faults(c);
  c.counts_path = variable("SV_SHIM_COUNTS");
  c.state_path = variable("SV_SHIM_STATE");
  c.count_directory = directory_of(variable("SV_SHIM_DIR"));
  if (c.count_directory.length == 0)
    c.count_directory = c.fault_directory.length > 0 ? c.fault_directory : c.device_directory;
  if (c.counts_path != nullptr && c.count_directory.length == 0)
    refuse("SV_SHIM_DIR", "", "SV_SHIM_COUNTS is set: give the directory whose files are counted");
  c.active = c.n_faults > 0 || c.device.bytes_per_ns > 0 || c.count_directory.length > 0;
  return c;
}

Configuration &instance() {
  static Configuration read = read_configuration();
  return read;
}

}  // namespace

const Configuration &configuration() { return instance(); }

bool change_faults(const char *text) {
  Configuration changed = instance();
  if (!read_all_faults(text, changed) || (changed.n_faults > 0 && changed.fault_directory.length == 0)) return false;
  instance() = changed;
  return true;
}

bool is_below(const Directory &directory, const char *path) {
  if (directory.length == 0 || std::strncmp(path, directory.path, static_cast<size_t>(directory.length)) != 0)
    return false;
  const char next = path[directory.length];
  return next == '/' || next == '\0' || directory.length == 1;
}

void refuse(const char *variable, const char *value, const char *remedy) {
  char text[1024];
  const int length = std::snprintf(text, sizeof text, "sv_shim: %s='%s' is no good. %s.\n", variable, value, remedy);
  // The process ends here, with or without the message.
  [[maybe_unused]] const long ignored = syscall(SYS_write, STDERR_FILENO, text, static_cast<size_t>(length));
  _exit(126);
}

}  // namespace sv_shim
