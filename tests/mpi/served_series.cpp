// A file of a series that servers write fails when the model has gone on to the next one: the series has failed with
// it, and the record that was begun in the next file does not count, after any later calls of the model. Other files go
// on. The servers are stopped meanwhile, so that they fail late; in groups, those of the next file know of nothing.
// Their memory is so small that all of it is made before: a rank that waits for more of it would wait for a stopped
// process.
// run: ranks=4 limit=60 hosts=1
// run: ranks=5 limit=60 hosts=1 name=groups args=groups
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "support/files.hpp"
#include "support/model_ranks.hpp"

namespace {

using namespace svtest;

constexpr int64_t limit_bytes = 60000;  // of a file: room for two records, and for half of the third
constexpr int64_t cells = 1500;

/// The objects of a model's rank.
struct Model {
  sv_context *io;
  MPI_Comm comm;
  std::vector<int> servers;  // their processes
  std::vector<Spec> specs{{"cold", SV_DOUBLE, SV_DOUBLE, {cells}, {"x"}, true, How::replicated},
                          {"warm", SV_DOUBLE, SV_DOUBLE, {cells}, {"x"}, true, How::replicated}};
  std::vector<Spec> few{{"level", SV_DOUBLE, SV_DOUBLE, {10}, {"x"}, true, How::replicated}};
  Output series{io, rank_in(comm)}, other{io, rank_in(comm)};

  void make_files() {
    SV_MUST(sv_create(io, "other.nc", SV_GROWING, &other.file));
    define(other, few);
    SV_MUST(sv_enddef(other.file));
    SV_MUST(sv_create(io, "small_%Y-%m.nc", SV_SERIES, &series.file));
    define(series, specs);
    int dim = -1, time = -1;
    SV_MUST(sv_inq_dimid(series.file, "time", &dim));
    SV_MUST(sv_def_var(series.file, "time", SV_DOUBLE, 1, &dim, &time));
    SV_MUST(sv_enddef(series.file));
  }
  void begin(int month, int64_t record) const {
    const int date[6] = {2001, month, static_cast<int>(record) + 1, 0, 0, 0};
    int64_t found = -1;
    SV_MUST(sv_select_record(series.file, date, 31.0 * month + static_cast<double>(record), &found, nullptr));
    require(found == record, "record " + std::to_string(record) + " is " + std::to_string(found));
  }
  int try_to_put(const Spec &spec, int64_t record) const {
    const Array array = whole_array(spec, record);
    return sv_put_var(series.file, series.ids.at(spec.name), record, SV_DOUBLE, array.bytes.data(), nullptr);
  }
  void whole_record(int month, int64_t record) {
    begin(month, record);
    for (const Spec &spec : specs) put(series, spec, record);
  }
  void signal_servers(int signal) const {
    MPI_Barrier(comm);
    for (const int pid : servers)
      if (rank_in(comm) == 0) require(kill(pid, signal) == 0, "kill");
    MPI_Barrier(comm);
  }
  /// What servers have failed with comes to the puts of the next file.
  int put_until_refused() const {
    constexpr int most_tries = 500, nap_microseconds = 20000;
    int status = SV_OK;
    for (int tries = 0; status == SV_OK && tries < most_tries; ++tries) {
      usleep(nap_microseconds);
      status = try_to_put(specs[0], 0);
    }
    return status;
  }
};

void refuse(int status, const std::string &call) {
  const std::string text = status == SV_OK ? "" : sv_message();
  require(status == SV_ENOSPACE && text.find("small_2001-01.nc") != std::string::npos,
          call + " returned " + sv_strerror(status) + ": " + text);
}

void run(Model &model) {
  model.make_files();
  for (int64_t record = 0; record < 2; ++record) {
    model.whole_record(1, record);
    SV_MUST(sv_end_step(model.io));
  }
  SV_MUST(sv_flush(model.io, SV_WRITTEN));
  model.signal_servers(SIGSTOP);
  model.whole_record(1, 2);
  model.begin(2, 0);
  model.signal_servers(SIGCONT);
  refuse(model.put_until_refused(), "sv_put_var");
  refuse(model.try_to_put(model.specs[1], 0), "the next sv_put_var");
  refuse(sv_end_step(model.io), "sv_end_step");
  put(model.other, model.few[0], 0);
  refuse(sv_end_step(model.io), "the next sv_end_step");
  const int date[6] = {2001, 3, 1, 0, 0, 0};
  int64_t record = -1;
  refuse(sv_select_record(model.series.file, date, 200, &record, nullptr), "sv_select_record");
  refuse(sv_close(model.series.file), "sv_close");
  put(model.other, model.few[0], 1);
  SV_MUST(sv_end_step(model.io));
  SV_MUST(sv_close(model.other.file));
}

void check_files(const Model &model) {
  for (const char *name : {"small_2001-02.nc", "small_2001-02.nc.part", "small_2001-01.nc.complete"})
    require(!std::filesystem::exists(name), std::string(name) + " is there");
  NetcdfFile("small_2001-01.nc").check_all(model.specs, 2);
  NetcdfFile("other.nc").check_all(model.few, 2);
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::signal(SIGXFSZ, SIG_IGN);
  std::vector<std::string> options{"async=servers:1", "async.placement=last", "transport.window=1MiB",
                                   "async.memory=1MiB"};
  if (argc > 1) options.insert(options.end(), {"async=servers:2", "async.groups=2"});
  const int own = getpid();
  std::vector<int> pids(static_cast<size_t>(size_of(MPI_COMM_WORLD)));
  MPI_Allgather(&own, 1, MPI_INT, pids.data(), 1, MPI_INT, MPI_COMM_WORLD);
  sv_context *io = start(MPI_COMM_WORLD, options);
  const MPI_Comm comm = model_ranks(io);
  if (comm == MPI_COMM_NULL) {
    require(sv_finalize(io) == SV_ENOSPACE || argc > 1, "the server did not tell what it could not write");
  } else {
    Model model{io, comm, {pids.end() - (argc > 1 ? 2 : 1), pids.end()}};
    const rlimit limit{limit_bytes, limit_bytes};
    for (const int pid : model.servers)  // they are in sv_init, with all the memory that they need
      require(prlimit(pid, RLIMIT_FSIZE, &limit, nullptr) == 0, "prlimit");
    MPI_Barrier(comm);
    run(model);
    SV_MUST(sv_finalize(io));
    if (model.series.rank == 0) check_files(model);
  }
  MPI_Finalize();
  return 0;
}
