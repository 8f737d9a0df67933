// The ranks that measure together.
#pragma once

#include <mpi.h>

namespace sv_bench {

struct Team {
  explicit Team(MPI_Comm communicator) : comm(communicator) {
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
  }
  /// Whether it is so on every rank. Collective.
  bool all(bool mine) const {
    int every = mine ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &every, 1, MPI_INT, MPI_MIN, comm);
    return every == 1;
  }

  MPI_Comm comm;  // borrowed
  int rank = 0, ranks = 1;
};

}  // namespace sv_bench
