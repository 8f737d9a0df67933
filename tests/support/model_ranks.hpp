// The ranks of a context that compute, where others may serve.
#pragma once

#include <mpi.h>

#include <sverdrup/sverdrup.h>

#include "support/check.hpp"

namespace svtest {

/// Local. MPI_COMM_NULL on a rank that served, to which only sv_finalize is left. It belongs to the context.
inline MPI_Comm model_ranks(const sv_context *io) {
  int is_model = 0;
  SV_MUST(sv_is_model(io, &is_model));
  MPI_Comm comm = MPI_COMM_NULL;
  if (is_model != 0) SV_MUST(sv_model_comm(io, &comm));
  return comm;
}

}  // namespace svtest
