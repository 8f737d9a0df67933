// Contexts of Sverdrup: one for each group of ranks that makes or opens files together. They end with MPI.
#pragma once

#include <mpi.h>
#include <sverdrup/binding.h>

#include <string>

namespace sv::pnetcdf {

struct Context {
  sv_context *io = nullptr;
  MPI_Comm comm = MPI_COMM_NULL;  // of the same ranks in the same order, and its own
  int ranks = 1;
};

/// Collective. nullptr with a `reason`: there can be none.
const Context *context_of(MPI_Comm comm, std::string &reason);

}  // namespace sv::pnetcdf
