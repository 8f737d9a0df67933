// Ranks come to a call late, and one far too late: the waiting ranks all get the same name, however early they
// came and on each node; a rank that is only late is not taken for the missing one.
// Most of it is waiting, so that both may run at once.
// run: ranks=5 limit=60 name=nodes env=SV_TESTING_RANKS_PER_NODE=2 processors=1 sanitize=no
// run: ranks=7 limit=60 name=more_nodes env=SV_TESTING_RANKS_PER_NODE=3 processors=1
#include <unistd.h>

#include "support/check.hpp"

namespace {

using namespace svtest;

constexpr double limit_seconds = 1.2;

void sleep_until(double begin, double seconds) {
  while (MPI_Wtime() < begin + seconds) usleep(10000);
}

/// Rank `late` comes after more than half of the limit, rank `missing` when all is over; -1: none.
void run(int late, int missing) {
  const int rank = rank_in(MPI_COMM_WORLD);
  sv_context *io = start(MPI_COMM_WORLD, {"watchdog=1.2s", "transport.window=1MiB"});
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  if (rank == late) sleep_until(begin, 0.55 * limit_seconds);
  if (rank == missing) sleep_until(begin, 3 * limit_seconds);
  const int status = sv_end_step(io);
  const std::string description = "late " + std::to_string(late) + ", missing " + std::to_string(missing) + ": " +
                                  (status == SV_OK ? "" : sv_message());
  if (missing < 0) {
    ok(status, "sv_end_step, with rank " + std::to_string(late) + " late");
    SV_MUST(sv_finalize(io));
    return;
  }
  require(status == SV_ETIMEOUT, description);
  require(description.find(" awaited rank(s) " + std::to_string(missing) + " ") != std::string::npos, description);
  require(rank == missing || MPI_Wtime() - begin < 3 * limit_seconds, description);
  require(sv_finalize(io) == SV_ETIMEOUT, "sv_finalize after the watchdog");
  sleep_until(begin, 3 * limit_seconds);  // in MPI, ranks would wait for the missing one with all their time
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (const int late : {0, 2, 4}) run(late, -1);
  run(2, 3);
  run(0, 4);
  run(4, 0);
  return MPI_Finalize();
}
