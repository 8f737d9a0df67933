#include "preload.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "shim.h"
#include "sverdrup/sverdrup.h"

namespace sv_bench {

namespace {

constexpr const char *own_state = "/dev/shm/sv-bench-";

template <typename Function>
Function *find(const char *name) {
  return reinterpret_cast<Function *>(dlsym(RTLD_DEFAULT, name));
}
using ReadTotals = int(struct sv_shim_totals *);
constexpr const char *read_totals_name = "sv_shim_read_totals";

void set(const char *name, const std::string &value) {
  if (setenv(name, value.c_str(), 1) != 0) throw std::runtime_error(std::string("cannot set ") + name);
}

std::string with_old(const char *name, const std::string &value) {
  const char *old = std::getenv(name);
  return old != nullptr && *old != '\0' ? value + ":" + old : value;
}

/// In a build it is next to the library, installed in a folder below.
std::filesystem::path shim_beside_the_library() {
  Dl_info library{};
  dladdr(reinterpret_cast<const void *>(&sv_version), &library);
  const std::filesystem::path path = library.dli_fname == nullptr ? "" : library.dli_fname;
  if (!path.is_absolute()) return {};  // never relative to the working directory
  const auto folder = path.parent_path();
  const auto built = folder / "libsv_shim.so";
  return std::filesystem::exists(built) ? built : folder / "sverdrup" / "libsv_shim.so";
}

}  // namespace

void run_under_shim(const Options &options, char **argv) {
  if (find<ReadTotals>(read_totals_name) != nullptr) return;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  const std::filesystem::path shim = shim_beside_the_library();
  if (!std::filesystem::exists(shim)) {
    if (options.device.empty()) return;
    throw std::runtime_error("--device needs the shim, and there is no '" + shim.string() + "'");
  }
  set("LD_PRELOAD", with_old("LD_PRELOAD", shim.string()));
  set("ASAN_OPTIONS", with_old("ASAN_OPTIONS", "verify_asan_link_order=0"));
  set("SV_SHIM_DIR", options.directory);
  // The launcher is the parent of all ranks of the machine.
  set("SV_SHIM_STATE", own_state + std::to_string(getuid()) + "-" + std::to_string(getppid()));
  if (!options.device.empty()) {
    set("SV_DEVICE", options.device);
    set("SV_DEVICE_DIR", options.directory);
  }
  execv(self.c_str(), argv);
  throw std::runtime_error("cannot start '" + self.string() + "' again: " + std::strerror(errno));
}

void forget_shim_state(MPI_Comm comm) {
  MPI_Barrier(comm);
  const char *state = std::getenv("SV_SHIM_STATE");
  if (state == nullptr || std::strncmp(state, own_state, std::strlen(own_state)) != 0) return;
  if (unlink(state) != 0 && errno != ENOENT) throw std::runtime_error(std::string("cannot remove ") + state);
}

std::optional<FileTraffic> file_traffic(MPI_Comm comm) {
  MPI_Barrier(comm);
  ReadTotals *const read_totals = find<ReadTotals>(read_totals_name);
  struct sv_shim_totals totals {};
  if (read_totals == nullptr || read_totals(&totals) == 0) totals.run = 0;
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  std::vector<int64_t> runs(static_cast<size_t>(ranks));
  MPI_Allgather(&totals.run, 1, MPI_INT64_T, runs.data(), 1, MPI_INT64_T, comm);
  if (std::find(runs.begin(), runs.end(), 0) != runs.end()) return {};
  // The ranks of a machine share their counts: the first of them adds these to those of the others.
  const bool first = std::find(runs.begin(), runs.end(), totals.run) == runs.begin() + rank;
  std::array<int64_t, 4> sums{totals.writes, totals.written_bytes, totals.reads, totals.read_bytes};
  if (!first) sums = {};
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_INT64_T, MPI_SUM, comm);
  return FileTraffic{sums[0], sums[1], sums[2], sums[3]};
}

double device_rate() {
  auto *const rate = find<double(void)>("sv_shim_device_bytes_per_second");
  return rate == nullptr ? 0 : rate();
}

void count_calls(bool count) {
  auto *const set_counting = find<void(int)>("sv_shim_count_calls");
  if (set_counting != nullptr) set_counting(count ? 1 : 0);
}

}  // namespace sv_bench
