// A communicator for the model that is made while its context is: sv_init begins with it, and ends with it.
#pragma once

#include "mpi/comm.hpp"

namespace sv {

/// A duplicate as Comm::duplicate_for_model makes it. Other calls of MPI may be made meanwhile.
class Duplicating {
 public:
  /// Collective over `comm`; returns at once.
  explicit Duplicating(MPI_Comm comm);
  Duplicating(const Duplicating &) = delete;
  /// Collective; once, before this goes.
  Comm finish();

 private:
  MPI_Comm copy_ = MPI_COMM_NULL;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace sv
