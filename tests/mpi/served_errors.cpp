// Failed writes of servers are reported with the names of the file and of the variables, the rank and the last whole
// step; and so are those of a thread behind the calls.
// run: ranks=4 limit=60 hosts=1
// run: ranks=3 limit=60 name=behind behind args=behind
// run: ranks=3 limit=60 name=turns behind args=turns
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

#include "support/files.hpp"
#include "support/model_ranks.hpp"

namespace {

using namespace svtest;

constexpr int64_t limit_bytes = 60000;  // of a file: room for two records, and for half of the third
constexpr int64_t cells = 1500;

/// `words`: each stands in the message.
void run(sv_context *io, MPI_Comm comm, const std::vector<std::string> &words) {
  const std::vector<Spec> specs{{"cold", SV_DOUBLE, SV_DOUBLE, {cells}, {"x"}, true, How::replicated},
                                {"warm", SV_DOUBLE, SV_DOUBLE, {cells}, {"x"}, true, How::replicated}};
  Output out = create_output(io, rank_in(comm), "small.nc", specs, SV_GROWING);
  int status = SV_OK;
  for (int64_t record = 0; record < 4 && status == SV_OK; ++record) {
    for (const Spec &spec : specs) {
      const Array array = whole_array(spec, record);
      status = sv_put_var(out.file, out.ids[spec.name], record, SV_DOUBLE, array.bytes.data(), nullptr);
      if (status != SV_OK) break;
    }
    if (status == SV_OK) status = sv_end_step(io);
  }
  if (status == SV_OK) status = sv_flush(io, SV_WRITTEN);
  const std::string text = sv_message();
  require(status == SV_ENOSPACE, "a file that is too large: " + text);
  for (const std::string &part : words)
    require(text.find(part) != std::string::npos, text + ": without '" + part + "'");
  require(sv_close(out.file) == SV_ENOSPACE, "sv_close of a file that has failed");
}

void be_limited(int pid) {
  const rlimit limit{limit_bytes, limit_bytes};
  require(prlimit(pid, RLIMIT_FSIZE, &limit, nullptr) == 0, "prlimit");
}

void with_a_server() {
  const int ranks = size_of(MPI_COMM_WORLD), own = getpid();
  std::vector<int> pids(static_cast<size_t>(ranks));
  MPI_Allgather(&own, 1, MPI_INT, pids.data(), 1, MPI_INT, MPI_COMM_WORLD);
  sv_context *io = start(MPI_COMM_WORLD, {"async=servers:1", "async.placement=last", "transport.window=1MiB"});
  const MPI_Comm comm = model_ranks(io);
  if (comm != MPI_COMM_NULL) {  // the server is in sv_init, with all the memory that it needs
    be_limited(pids.back());
    MPI_Barrier(comm);
    run(io, comm, {"server ", "after step 2", "file 'small.nc", "variable 'cold' to 'warm'", "rank "});
  }
  const int status = sv_finalize(io);
  require(comm != MPI_COMM_NULL || status == SV_ENOSPACE, "the server did not tell what it could not write");
}

void behind_the_calls(std::vector<std::string> options) {
  options.push_back("transport.window=1MiB");
  sv_context *io = start(MPI_COMM_WORLD, options);
  be_limited(0);
  run(io, MPI_COMM_WORLD, {"file 'small.nc", "variable 'cold' to 'warm'", "rank 0"});
  SV_MUST(sv_finalize(io));
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::signal(SIGXFSZ, SIG_IGN);
  if (argc > 1 && std::strcmp(argv[1], "behind") == 0)
    behind_the_calls({});
  else if (argc > 1)  // the thread's error is found when the calls are to write, at the third step's end
    behind_the_calls({"async=auto", "testing.turns=3,1"});
  else
    with_a_server();
  MPI_Finalize();
  return 0;
}
