// The state that the library leaves in its process: the environment and the signals are the program's afterwards,
// and a process that it forks ends as it would without the library.
// run: ranks=2 limit=60
// run: ranks=2 limit=60 name=behind behind
// run: ranks=2 limit=60 name=pnetcdf args=pnetcdf
// run: ranks=2 limit=60 name=netcdf4 args=netcdf4
// run: ranks=2 limit=60 name=netcdf4_library args=netcdf4_library
// run: ranks=2 limit=60 name=zarr args=zarr
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "support/test_file.hpp"

extern char **environ;

namespace {

using namespace svtest;

std::vector<std::string> environment() {
  std::vector<std::string> all;
  for (char **each = environ; *each != nullptr; ++each) all.emplace_back(*each);
  return all;
}

/// False where the store is not compiled.
bool write_file(sv_context *io, const std::string &path) {
  constexpr int64_t cells = 4;
  sv_file *file = nullptr;
  const int status = sv_create(io, path.c_str(), 0, &file);
  if (status == SV_ECOMPILED) return false;
  ok(status, "sv_create");
  define(file, {{"x", cells}}, {{"v", SV_FLOAT, {"x"}}});
  SV_MUST(sv_enddef(file));
  const float values[cells] = {1, 2, 3, 4};
  SV_MUST(sv_put_var(file, 0, SV_NO_RECORD, SV_FLOAT, values, nullptr));
  SV_MUST(sv_close(file));
  file = open_file(io, path);
  float found[cells] = {};
  SV_MUST(sv_get_var(file, 0, SV_NO_RECORD, SV_FLOAT, found, nullptr));
  require(found[2] == 3, "what was written");
  SV_MUST(sv_close(file));
  return true;
}

/// Handlers at the exit and destructors of the library's statics run in the child, too, which has none of its threads.
void child_ends() {
  const pid_t child = fork();
  require(child >= 0, "fork");
  if (child == 0) std::exit(7);
  int status = 0;
  for (int tries = 0; tries < 200; ++tries) {
    if (waitpid(child, &status, WNOHANG) == child) {
      require(WIFEXITED(status) && WEXITSTATUS(status) == 7, "a child ends with " + std::to_string(status));
      return;
    }
    usleep(100000);
  }
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  give_up("a child that calls exit never ends");
}

void (*handler_of(int number))(int) {
  struct sigaction now {};
  require(sigaction(number, nullptr, &now) == 0, "sigaction");
  return now.sa_handler;
}

bool is_stopping(sv_context *io) {
  int stopping = 0;
  SV_MUST(sv_end_step(io));
  SV_MUST(sv_stopping(io, &stopping));
  return stopping != 0;
}

/// Two signals may stop a run, each context gets those of its time; then the program has them back.
void signals() {
  std::signal(SIGUSR1, SIG_IGN);
  std::signal(SIGUSR2, SIG_DFL);
  for (const int number : {SIGUSR1, SIGUSR2, 0}) {
    sv_context *io = start(MPI_COMM_WORLD, {});
    for (const int each : {SIGUSR1, SIGUSR2, SIGUSR1}) SV_MUST(sv_stop_on_signal(io, each));
    require(!is_stopping(io), "a context is stopped by a signal of an earlier one");
    if (number != 0) std::raise(number);
    require(is_stopping(io) == (number != 0), "signal " + std::to_string(number));
    SV_MUST(sv_finalize(io));
    require(handler_of(SIGUSR1) == SIG_IGN && handler_of(SIGUSR2) == SIG_DFL, "the program's signals are not its own");
  }
}

/// One of two contexts ends, and the other one still hears.
void signals_of_two() {
  sv_context *first = start(MPI_COMM_WORLD, {}), *second = start(MPI_COMM_WORLD, {});
  SV_MUST(sv_stop_on_signal(first, SIGUSR1));
  SV_MUST(sv_stop_on_signal(second, SIGUSR1));
  require(sv_stop_on_signal(second, SIGKILL) == SV_EINVAL && sv_stop_on_signal(second, -1) == SV_EINVAL,
          "what is no signal that can be caught");
  SV_MUST(sv_finalize(first));
  std::raise(SIGUSR1);
  require(is_stopping(second), "a context does not hear a signal any more");
  SV_MUST(sv_finalize(second));
  require(handler_of(SIGUSR1) == SIG_IGN, "the program's signal is not its own");
}

/// ROMIO ends the job for a list that it cannot read, and for one without a host of the run's.
void aggregators(const std::string &store) {
  for (const char *list : {"garbage", "*:many", ":1", "no.such.host:2"}) {
    sv_context *io =
        start(MPI_COMM_WORLD, {"store=" + store, "writers=2", std::string("mpi_io.cb_config_list=") + list});
    sv_file *file = nullptr;
    int dim = -1, var = -1;
    int status = sv_create(io, "aggregators.nc", 0, &file);
    if (status == SV_OK) status = sv_def_dim(file, "x", 4, &dim);
    if (status == SV_OK) status = sv_def_var(file, "v", SV_FLOAT, 1, &dim, &var);
    if (status == SV_OK) status = sv_enddef(file);
    const std::string text = sv_message();
    require(status == SV_ECONFIG && text.find("cb_config_list") != std::string::npos &&
                text.find(list) != std::string::npos,
            std::string("cb_config_list = ") + list + ": " + sv_strerror(status) + ", '" + text + "'");
    if (file != nullptr) sv_close(file);
    sv_finalize(io);
  }
  sv_context *io = start(MPI_COMM_WORLD, {"store=" + store, "writers=2", "mpi_io.cb_config_list=*:1"});
  write_file(io, "aggregators.nc");
  SV_MUST(sv_finalize(io));
}

void full_device() {
  sv_context *io = start(MPI_COMM_WORLD, {});
  const int status = sv_write_summary(io, "/dev/full");
  const std::string text = sv_message();
  require(status == SV_ENOSPACE && text.find("/dev/full") != std::string::npos, "a summary on a full device: " + text);
  require(sv_write_summary(io, "absent/summary.json") == SV_ENOTFOUND, "a summary in a directory that is not there");
  SV_MUST(sv_write_summary(io, "summary.json"));
  SV_MUST(sv_finalize(io));
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const std::vector<std::string> before = environment();
  const std::string store = argc > 1 ? argv[1] : "cdf";
  sv_context *io = start(MPI_COMM_WORLD, {"store=" + store});
  const bool is_compiled = write_file(io, "file.nc");
  require(environment() == before, "the environment has changed");
  SV_MUST(sv_finalize(io));
  if (is_compiled) child_ends();
  if (store == "cdf") {
    signals();
    signals_of_two();
    full_device();
  }
  if (is_compiled && (store == "pnetcdf" || store == "netcdf4_library")) aggregators(store);
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Finalize();
}
