#include "call.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "shim.h"

namespace sv_shim {

namespace {
std::atomic<bool> counting{true};
}

bool is_busy() {
  const Configuration &c = configuration();
  return c.device.bytes_per_ns > 0 || c.n_faults > 0 || (c.active && counting.load(std::memory_order_relaxed));
}

bool concerns_reads() {
  const Configuration &c = configuration();
  return c.device_reads || c.n_faults > 0 || (c.count_directory.length > 0 && counting.load(std::memory_order_relaxed));
}

bool is_watched(const char *path) {
  const Configuration &c = configuration();
  return is_below(c.device_directory, path) || is_below(c.fault_directory, path) || is_below(c.count_directory, path);
}

bool is_watched(int descriptor, Path &path) {
  if (descriptor < 0 || !is_busy()) return false;
  // Asked every time: a descriptor may be duplicated, closed or reused in ways that are not seen here.
  char link[32];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, path, sizeof(Path) - 1);
  if (length <= 0) return false;
  path[length] = '\0';
  return path[0] == '/' && is_watched(path);
}

bool absolute_path(int directory, const char *path, Path &absolute) {
  char given[2 * PATH_MAX] = "";
  if (path[0] != '/') {
    char link[32], base[PATH_MAX];
    std::snprintf(link, sizeof link, directory == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", directory);
    const ssize_t length = readlink(link, base, sizeof base - 1);
    if (length <= 0) return false;
    base[length] = '\0';
    std::snprintf(given, sizeof given, "%s/", base);
  }
  std::strncat(given, path, sizeof given - std::strlen(given) - 1);
  // Symbolic links on the way are followed, the last component is not looked at.
  char *name = std::strrchr(given, '/');
  *name++ = '\0';
  char parent[PATH_MAX];
  if (realpath(given[0] != '\0' ? given : "/", parent) == nullptr) return false;
  return std::snprintf(absolute, sizeof(Path), "%s/%s", parent[1] != '\0' ? parent : "", name) < PATH_MAX;
}

void count_call(Function function, const char *path, int64_t bytes, int64_t calls) {
  if (!counting.load(std::memory_order_relaxed) || !is_below(configuration().count_directory, path)) return;
  Count &count = shared_state().counts[static_cast<int>(function)];
  count.calls.fetch_add(calls, std::memory_order_relaxed);
  count.bytes.fetch_add(bytes, std::memory_order_relaxed);
}

}  // namespace sv_shim

SV_SHIM_EXPORT int sv_shim_read_totals(struct sv_shim_totals *totals) {
  using namespace sv_shim;
  if (configuration().count_directory.length == 0) return 0;
  const auto sum = [](Function first, std::atomic<int64_t> Count::*what) {
    int64_t total = 0;
    for (int f = static_cast<int>(first); f < static_cast<int>(first) + family; ++f)
      total += (shared_state().counts[f].*what).load();
    return total;
  };
  *totals = {sum(Function::write, &Count::calls),
             sum(Function::write, &Count::bytes),
             sum(Function::read, &Count::calls),
             sum(Function::read, &Count::bytes),
             shared_state().counts[static_cast<int>(Function::hand_over)].calls.load(),
             shared_state().run.load()};
  return 1;
}

SV_SHIM_EXPORT double sv_shim_device_bytes_per_second(void) {
  const sv_shim::Device &device = sv_shim::configuration().device;
  return device.bytes_per_ns * 1e9 * device.stripes;
}

SV_SHIM_EXPORT void sv_shim_count_calls(int count) { sv_shim::counting = count != 0; }
