#include "program.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "base/printable.hpp"
#include "busy.hpp"
#include "ending.hpp"
#include "usage.hpp"

namespace sv_tools {

namespace {

int rank_of(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

/// Collective. The sentence of busy_cores for this machine and job. Launchers bind each rank to cores of its own.
std::string busy_now() {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double load = 0;
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof usable, &usable) != 0) CPU_ZERO(&usable);
  MPI_Allreduce(MPI_IN_PLACE, &usable, sizeof usable, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
  if (getloadavg(&load, 1) != 1 || CPU_COUNT(&usable) == 0) return "";
  return busy_cores(load, CPU_COUNT(&usable), ranks);
}

/// The value of a setting; the last one counts. "" where it is not given.
std::string value_of(const std::string &key, const std::vector<std::string> &settings) {
  std::string value;
  for (const std::string &setting : settings)
    if (setting.starts_with(key + "=")) value = setting.substr(key.size() + 1);
  return value;
}

/// Flags of sv_create for the kind of `in`; none where a format is given, or a store that does not have this kind.
int kind_flags(sv_file *in, const std::vector<std::string> &settings) {
  int format = 0;
  must(sv_inq_format(in, &format));
  const bool is_netcdf4 = format == 3 || format == 4;
  const std::string store = value_of("store", settings);
  const bool has_flags = format <= 5 && store != "zarr";  // of Zarr there are none
  const bool has_kind = store.empty() || store == "auto" || store.starts_with("netcdf4") == is_netcdf4;
  if (!value_of("format", settings).empty() || !has_flags || !has_kind) return 0;
  constexpr int flags[] = {0, SV_CLASSIC, SV_64BIT_OFFSET, SV_NETCDF4, SV_NETCDF4 | SV_CLASSIC, SV_64BIT_DATA};
  return flags[format];
}

/// Returns the bytes of values.
double copy_within(sv_context *io, const Task &task, bool speaks) {
  sv_file *in = nullptr, *out = nullptr;
  must(sv_open(io, task.in.c_str(), SV_NOWRITE, &in));
  must(sv_create(io, task.out.c_str(), task.create_flags | kind_flags(in, task.settings), &out));
  Copying copying(in, out, MPI_COMM_WORLD);
  copying.may_hold(task.hold_bytes);
  copying.keep(kept_storage(io, task.out, task.settings));
  copying.define();
  if (task.rescues) {
    copying.leave_out_missing();
    if (speaks) std::printf("%s", sv::printable_message(copying.story()).c_str());
  }
  if (task.accept) task.accept(copying.bytes());
  Bar bar(task.program, speaks && isatty(STDERR_FILENO) != 0, copying.bytes());
  copying.copy(bar);
  must(sv_close(in));
  must(sv_close(out));
  return copying.bytes();
}

/// Names the file that is read, where the error does not: even what keeps the copy from being made may be wrong in it.
/// The same on every rank.
std::runtime_error naming(const Task &task, const std::string &cause) {
  const std::string in = "'" + task.in + "'";
  return std::runtime_error(cause.find(in) != std::string::npos ? cause : "copying " + in + ": " + cause);
}

}  // namespace

Bar::Bar(std::string what, bool shown, double bytes)
    : what_(std::move(what)), shown_(shown && bytes > 0), bytes_(bytes) {}

void Bar::operator()(double done) {
  if (!shown_) return;
  constexpr double most_seconds = 0.2;  // between two looks
  const double now = MPI_Wtime(), seconds = std::max(now - begin_, 1e-3), rate = done / seconds;
  const bool ends = done >= bytes_;
  if (!ends && now - reported_ < most_seconds) return;
  reported_ = now;
  const auto percent = static_cast<int>(100 * std::min(done / bytes_, 1.0));
  const std::string full(static_cast<size_t>(percent / 3), '#'), rest(static_cast<size_t>(33 - percent / 3), '.');
  std::fprintf(stderr, "\r%s: [%s%s] %3d %% of %.0f MB, %.0f MB/s, %.0f s %s   %s", what_.c_str(), full.c_str(),
               rest.c_str(), percent, bytes_ / 1e6, rate / 1e6, ends ? seconds : (bytes_ - done) / rate,
               ends ? "in all" : "left", ends ? "\n" : "");
}

void copy_file(const Task &task) {
  const bool speaks = rank_of(MPI_COMM_WORLD) == 0 && !task.quiet;
  const std::string busy = busy_now();
  std::vector<std::string> settings = task.settings;
  // All values are copied: cells of a record are not filled before a later block contains them.
  if (!task.rescues) settings.insert(settings.begin(), "fill=false");
  sv_context *const io = start(MPI_COMM_WORLD, copying_settings(MPI_COMM_WORLD, settings));
  const double begin = MPI_Wtime();
  double bytes = 0;
  try {
    bytes = copy_within(io, task, speaks);
  } catch (const std::exception &error) {
    const std::runtime_error error_of_task = naming(task, error.what());
    sv_finalize(io);  // abandons open files; the error that led here is reported
    throw error_of_task;
  }
  const double seconds = MPI_Wtime() - begin;
  must(sv_finalize(io));
  if (!speaks) return;
  std::printf("%s: %s: %.1f MB in %.2f s, %.0f MB/s\n", task.program.c_str(), task.out.c_str(), bytes / 1e6, seconds,
              bytes / 1e6 / seconds);
  if (!busy.empty()) std::printf("%s: %s\n", task.program.c_str(), busy.c_str());
}

namespace {

/// Of launchers: whether one has started this process as a rank.
bool is_launched() {
  constexpr const char *variables[] = {
      "OMPI_COMM_WORLD_RANK", "PMI_RANK",     "PMI_FD",         "PMI_PORT",    "PMIX_RANK",
      "HYDI_CONTROL_FD",      "SLURM_PROCID", "FLUX_TASK_RANK", "PALS_RANKID", "ALPS_APP_PE"};
  return std::ranges::any_of(variables, [](const char *name) { return std::getenv(name) != nullptr; });
}

/// A process without a launcher is the only rank. Open MPI 4 would start a server for such ranks that start others, and
/// look for networks and graphics cards, for a second and more. Programs that the process starts do not see this.
void start_mpi(int argc, char **argv) {
  constexpr const char *settings[][2] = {
      {"OMPI_MCA_ess_singleton_isolated", "1"}, {"OMPI_MCA_pml", "ob1"}, {"HWLOC_PLUGINS_PATH", "/nonexistent"}};
  setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);  // a rank that waits in Open MPI leaves its core to others
  std::vector<const char *> made;
  for (const auto &[name, value] : settings) {
    if (is_launched() || std::getenv(name) != nullptr) continue;
    setenv(name, value, 0);
    made.push_back(name);
  }
  MPI_Init(&argc, &argv);
  for (const char *name : made) unsetenv(name);
}

}  // namespace

int run(CLI::App &app, int argc, char **argv, const std::function<void()> &work) {
  print_usage(app);
  app.set_version_flag("--version", app.get_name() + " " + sv_version());
  start_mpi(argc, argv);
  const bool speaks = rank_of(MPI_COMM_WORLD) == 0;
  int status = exit_success;
  try {
    app.parse(argc, argv);
    work();
  } catch (const CLI::ParseError &error) {
    status = speaks ? parse_failure(app, error) : usage_code(error);
  } catch (const std::exception &error) {
    if (speaks) std::fprintf(stderr, "%s: %s\n", app.get_name().c_str(), sv::printable_message(error.what()).c_str());
    status = exit_failure;
  }
  // The error occurred on every rank: MPI ends in order.
  status = ended(app.get_name(), status);
  MPI_Finalize();
  return status;
}

}  // namespace sv_tools
