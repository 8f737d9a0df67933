// All models get the same error of a file that its servers cannot open, in any next call on it; the servers go on.
// Not under the sanitizers: their check of an object opens a pipe, and takes it for broken where no file can be opened.
// run: ranks=4 limit=60 hosts=1 sanitize=no args=async=servers:1
// run: ranks=5 limit=60 hosts=1 name=two sanitize=no args=async=servers:2
#include <sys/resource.h>
#include <unistd.h>

#include "support/files.hpp"
#include "support/model_ranks.hpp"

namespace {

using namespace svtest;

const Spec warm{"warm", SV_DOUBLE, SV_DOUBLE, {200000}, {"x"}, true, How::replicated};  // more than a ring takes

struct Scene {
  sv_context *io;
  MPI_Comm comm;
  std::vector<int> servers;  // their processes
};

/// They can open files, or none.
void let_open(const Scene &scene, bool open) {
  MPI_Barrier(scene.comm);
  for (const int server : scene.servers) {
    rlimit limit{};
    require(prlimit(server, RLIMIT_NOFILE, nullptr, &limit) == 0, "prlimit");
    limit.rlim_cur = open ? limit.rlim_max : 3;
    require(prlimit(server, RLIMIT_NOFILE, &limit, nullptr) == 0, "prlimit");
  }
  MPI_Barrier(scene.comm);
}

/// Returns true where `status` is success; otherwise it is the file's failure, on all ranks.
bool goes_on(const Scene &scene, const std::string &call, int status) {
  const std::string text = status == SV_OK ? "" : call + ": " + sv_message();
  auto mine = static_cast<int64_t>(std::hash<std::string>{}(text) >> 1);
  int64_t alike[2] = {mine, -mine};
  MPI_Allreduce(MPI_IN_PLACE, alike, 2, MPI_INT64_T, MPI_MAX, scene.comm);
  require(alike[0] == -alike[1], "ranks got different things: " + text);
  if (status == SV_OK) return true;
  require(status != SV_EINTERNAL && text.find("old.nc") != std::string::npos, text);
  require(text.find("Too many open files") != std::string::npos, text + ": without the cause");
  return false;
}

int put_all(const Output &out, const Spec &spec) {
  const Array array = whole_array(spec, 0);
  int status = SV_OK;
  for (int64_t record = 0; record < 6 && status == SV_OK; ++record)
    status = sv_put_var(out.file, out.ids.at(spec.name), record, SV_DOUBLE, array.bytes.data(), nullptr);
  return status;
}

int get_first(const Output &out) {
  std::vector<double> values(static_cast<size_t>(product(warm.shape)));
  return sv_get_var(out.file, out.ids.at("warm"), 0, SV_DOUBLE, values.data(), nullptr);
}

/// Each of the calls may be the one that returns the failure: a server finds it at a time of its own.
int define_more(const Output &out, int &added) {
  const int dims[] = {0, 1};
  int status = sv_redef(out.file);
  if (status == SV_OK) status = sv_def_var(out.file, "cold", SV_DOUBLE, 2, dims, &added);
  if (status == SV_OK) status = sv_enddef(out.file);
  return status;
}

void check_failure(Scene &scene, const std::string &what) {
  Output out{scene.io, rank_in(scene.comm)};
  let_open(scene, false);
  const int mode = what == "get" ? SV_NOWRITE : SV_WRITE;
  bool good = goes_on(scene, "sv_open to " + what, sv_open(scene.io, "old.nc", mode, &out.file));
  if (!good) return let_open(scene, true);
  SV_MUST(sv_inq_varid(out.file, "warm", &out.ids["warm"]));
  if (what == "get") good = goes_on(scene, "sv_get", get_first(out));
  if (what == "redefine") good = goes_on(scene, "sv_enddef", define_more(out, out.ids["cold"]));
  if (what == "redefine" && good)
    good = goes_on(scene, "sv_put of what is new",
                   put_all(out, {"cold", SV_DOUBLE, SV_DOUBLE, warm.shape, {"x"}, true, How::replicated}));
  if (what == "put" || what == "step") good = goes_on(scene, "sv_put", put_all(out, warm));
  if (what == "sync") good = goes_on(scene, "sv_sync", sv_sync(out.file));
  if (what == "step" && good) good = goes_on(scene, "sv_end_step", sv_end_step(scene.io));
  if (what != "close" && good) good = goes_on(scene, "sv_flush", sv_flush(scene.io, SV_WRITTEN));
  const bool closed = goes_on(scene, "sv_close", sv_close(out.file));
  if (closed && what == "close") good = goes_on(scene, "sv_flush", sv_flush(scene.io, SV_WRITTEN));
  require(!(good && closed), "no rank learned that the file could not be opened to " + what);
  let_open(scene, true);
}

void run(Scene &scene) {
  Output out = create_output(scene.io, rank_in(scene.comm), "old.nc", {warm}, SV_GROWING);
  for (int64_t record = 0; record < 2; ++record) put(out, warm, record);
  SV_MUST(sv_close(out.file));
  SV_MUST(sv_flush(scene.io, SV_WRITTEN));
  for (const std::string what : {"put", "step", "sync", "redefine", "get", "close"}) check_failure(scene, what);
  out.file = open_file(scene.io, "old.nc", SV_WRITE);
  put(out, warm, 2);
  SV_MUST(sv_close(out.file));
  SV_MUST(sv_flush(scene.io, SV_WRITTEN));
  if (out.rank == 0) NetcdfFile("old.nc").check_all({warm}, 3);
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  require(argc == 2, "the number of servers is missing");
  Scene scene{nullptr, MPI_COMM_NULL, std::vector<int>(static_cast<size_t>(size_of(MPI_COMM_WORLD)))};
  const int own = getpid();
  MPI_Allgather(&own, 1, MPI_INT, scene.servers.data(), 1, MPI_INT, MPI_COMM_WORLD);
  scene.io = start(MPI_COMM_WORLD, {argv[1], "async.placement=last", "async.memory=1MiB", "reading=servers"});
  scene.comm = model_ranks(scene.io);
  const bool computes = scene.comm != MPI_COMM_NULL;
  int servers = 0;
  SV_MUST(sv_inq_servers(scene.io, &servers));
  scene.servers.erase(scene.servers.begin(), scene.servers.end() - servers);
  if (computes) run(scene);
  const int status = sv_finalize(scene.io);
  require(computes || status == SV_EIO || status == SV_OK, std::string("sv_finalize: ") + sv_message());
  return MPI_Finalize();
}
