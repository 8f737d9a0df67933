#include "mpi/duplicating.hpp"

namespace sv {

Duplicating::Duplicating(MPI_Comm comm) { check_mpi(MPI_Comm_idup(comm, &copy_, &request_), "MPI_Comm_idup"); }

Comm Duplicating::finish() {
  check_mpi(MPI_Wait(&request_, MPI_STATUS_IGNORE), "MPI_Wait");
  return Comm(copy_, false);
}

}  // namespace sv
