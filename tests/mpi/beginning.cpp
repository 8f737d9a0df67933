// sv_init makes few collective calls of MPI: where ranks share cores, each of them costs a turn of the scheduler. They
// are counted (not timed), by functions of MPI's names that stand before MPI's own.
// run: ranks=1 limit=60
// run: ranks=2 limit=60 hosts=1
// run: ranks=5 limit=60 hosts=1
#include <fstream>

#include "support/verdict.hpp"

namespace {

int calls = 0;  // collective ones

}  // namespace

// NOLINTBEGIN: names and parameters are MPI's
extern "C" {

#define SV_COUNTS(name, parameters, arguments) \
  int MPI_##name parameters {                  \
    ++calls;                                   \
    return PMPI_##name arguments;              \
  }
SV_COUNTS(Barrier, (MPI_Comm comm), (comm))
SV_COUNTS(Bcast, (void *data, int n, MPI_Datatype type, int root, MPI_Comm comm), (data, n, type, root, comm))
SV_COUNTS(Allreduce, (const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
          (in, out, n, type, op, comm))
SV_COUNTS(Allgather,
          (const void *in, int n, MPI_Datatype type, void *out, int n_out, MPI_Datatype type_out, MPI_Comm comm),
          (in, n, type, out, n_out, type_out, comm))
SV_COUNTS(Gather,
          (const void *in, int n, MPI_Datatype type, void *out, int n_out, MPI_Datatype type_out, int root,
           MPI_Comm comm),
          (in, n, type, out, n_out, type_out, root, comm))
SV_COUNTS(Alltoall,
          (const void *in, int n, MPI_Datatype type, void *out, int n_out, MPI_Datatype type_out, MPI_Comm comm),
          (in, n, type, out, n_out, type_out, comm))
SV_COUNTS(Comm_dup, (MPI_Comm comm, MPI_Comm *made), (comm, made))
SV_COUNTS(Comm_idup, (MPI_Comm comm, MPI_Comm *made, MPI_Request *request), (comm, made, request))
SV_COUNTS(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *made), (comm, color, key, made))
SV_COUNTS(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made),
          (comm, type, key, info, made))
}
// NOLINTEND

namespace {

using namespace svtest;

/// Counts what sv_init calls; `most`: so many calls are enough.
void begin(const char *config, const std::vector<std::string> &options, int most) {
  std::vector<const char *> texts;
  for (const std::string &option : options) texts.push_back(option.c_str());
  sv_context *io = nullptr;
  calls = 0;
  SV_MUST(sv_init(MPI_COMM_WORLD, config, static_cast<int>(texts.size()), texts.data(), &io));
  const int made = calls;
  const std::string what =
      std::string(config == nullptr ? "" : config) + (options.empty() ? "" : " " + options.front());
  require(made > 0, "sv_init called MPI, and nothing was counted");
  require(made <= most, "sv_init(" + what + ") made " + std::to_string(made) + " collective calls of MPI, not " +
                            std::to_string(most));
  SV_MUST(sv_finalize(io));
}

}  // namespace

int main(int argc, char **argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  at_root([&] { std::ofstream("beginning.yaml") << "transport: {window: 1MiB}\n"; });
  // Two communicators, what all are, where the window is, who shares it.
  begin(nullptr, {}, 5);
  begin(nullptr, {"transport.window=1MiB"}, 6);     // whether all have understood
  begin("beginning.yaml", {}, 7);                   // its contents
  begin(nullptr, {"async=threads"}, 8);             // where the ring is, and who shares it
  begin(nullptr, {"testing.ranks_per_node=2"}, 9);  // the ranks of the node, in two calls, and its leader
  MPI_Finalize();
  return 0;
}
