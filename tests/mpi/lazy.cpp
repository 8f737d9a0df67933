// MPI may keep a message that a call has taken, and send it within later calls of that rank: such an MPI stands between
// the program and the real one, for broadcasts, which go from rank to rank. A rank that waits for others without
// calling MPI would wait for ever, since they wait for its message.
// run: ranks=4 limit=60 sanitize=no
// run: ranks=5 limit=60 name=served sanitize=no args=async=servers:1
// run: ranks=4 limit=60 name=behind behind sanitize=no
#include <deque>

#include "support/files.hpp"
#include "support/model_ranks.hpp"
#include "support/readers.hpp"

namespace {

struct Kept {
  std::vector<char> bytes;
  int to;
  MPI_Comm comm;
};
std::deque<Kept> kept_messages;
int64_t kept_count = 0;
constexpr int lazy_tag = 32000;

void send_kept() {
  for (; !kept_messages.empty(); kept_messages.pop_front()) {
    const Kept &one = kept_messages.front();
    PMPI_Send(one.bytes.data(), static_cast<int>(one.bytes.size()), MPI_BYTE, one.to, lazy_tag, one.comm);
  }
}

}  // namespace

// NOLINTBEGIN: names and parameters are MPI's
extern "C" {

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  send_kept();
  int rank = 0, ranks = 0, bytes = 0, inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  if (type != MPI_BYTE || inter != 0) return PMPI_Bcast(buffer, count, type, root, comm);
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &ranks);
  PMPI_Type_size(type, &bytes);
  const int place = (rank - root + ranks) % ranks, next = (rank + 1) % ranks;
  if (place > 0) PMPI_Recv(buffer, count, type, (rank - 1 + ranks) % ranks, lazy_tag, comm, MPI_STATUS_IGNORE);
  if (place == ranks - 1) return MPI_SUCCESS;
  const char *const begin = static_cast<const char *>(buffer);
  kept_messages.push_back({{begin, begin + count * bytes}, next, comm});
  ++kept_count;
  return MPI_SUCCESS;
}

#define SV_SENDS(name, parameters, arguments) \
  int MPI_##name parameters {                 \
    send_kept();                              \
    return PMPI_##name arguments;             \
  }
SV_SENDS(Iprobe, (int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status), (from, tag, comm, flag, status))
SV_SENDS(Improbe, (int from, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status),
         (from, tag, comm, flag, message, status))
SV_SENDS(Test, (MPI_Request * request, int *flag, MPI_Status *status), (request, flag, status))
SV_SENDS(Wait, (MPI_Request * request, MPI_Status *status), (request, status))
SV_SENDS(Barrier, (MPI_Comm comm), (comm))
SV_SENDS(Allreduce, (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
         (from, to, count, type, op, comm))
SV_SENDS(Allgather,
         (const void *from, int sent, MPI_Datatype type, void *to, int got, MPI_Datatype other, MPI_Comm comm),
         (from, sent, type, to, got, other, comm))
SV_SENDS(Gather,
         (const void *from, int sent, MPI_Datatype type, void *to, int got, MPI_Datatype other, int root,
          MPI_Comm comm),
         (from, sent, type, to, got, other, root, comm))
SV_SENDS(Gatherv,
         (const void *from, int sent, MPI_Datatype type, void *to, const int got[], const int places[],
          MPI_Datatype other, int root, MPI_Comm comm),
         (from, sent, type, to, got, places, other, root, comm))
SV_SENDS(Alltoall,
         (const void *from, int sent, MPI_Datatype type, void *to, int got, MPI_Datatype other, MPI_Comm comm),
         (from, sent, type, to, got, other, comm))
SV_SENDS(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *made), (comm, color, key, made))
SV_SENDS(Comm_split_type, (MPI_Comm comm, int kind, int key, MPI_Info info, MPI_Comm *made),
         (comm, kind, key, info, made))
SV_SENDS(Comm_dup, (MPI_Comm comm, MPI_Comm *made), (comm, made))
SV_SENDS(Comm_free, (MPI_Comm * comm), (comm))
SV_SENDS(Finalize, (void), ())
}
// NOLINTEND

namespace {

using namespace svtest;

void use(sv_context *io) {
  MPI_Comm model = MPI_COMM_NULL;
  SV_MUST(sv_model_comm(io, &model));
  const Numbers shape{12, 9};
  const int ranks = size_of(model);
  const Grid grid{shape, {}, blocks_2d(shape, 1, ranks, ranks, {}), {}};
  const std::vector<Spec> specs{{"warm", SV_FLOAT, SV_FLOAT, shape, {"y", "x"}, true, How::field, &grid}};
  write_file(io, model, "lazy.nc", specs, 3);
  SV_MUST(sv_flush(io, SV_WRITTEN));
  check_file(io, "lazy.nc", specs, 3);
  // One rank reads for all; then all agree.
  int warm = -1;
  std::vector<float> values(static_cast<size_t>(shape[0] * shape[1]));
  sv_file *file = open_file(io, "lazy.nc");
  SV_MUST(sv_inq_varid(file, "warm", &warm));
  for (int i = 0; i < 20; ++i) SV_MUST(sv_get_var(file, warm, i % 2, SV_FLOAT, values.data(), nullptr));
  SV_MUST(sv_close(file));
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::vector<std::string> options{"transport.window=1MiB", "watchdog=10"};
  if (argc > 1) options.emplace_back(argv[1]);
  sv_context *io = start(MPI_COMM_WORLD, options);
  if (model_ranks(io) != MPI_COMM_NULL) use(io);
  SV_MUST(sv_finalize(io));
  MPI_Allreduce(MPI_IN_PLACE, &kept_count, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  require(kept_count > 0, "no broadcast was lazy");
  return MPI_Finalize();
}
