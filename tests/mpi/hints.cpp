// A hint that is longer than MPI takes is an error on every rank, not the end of the job.
// run: ranks=3 limit=60
// run: ranks=1 limit=60
#include "support/verdict.hpp"

namespace {

using namespace svtest;

void try_store(const std::string &store) {
  sv_context *io = start(MPI_COMM_WORLD, {"store=" + store, "cb_config_list=" + std::string(3000, '*'), "window=1MiB"});
  sv_file *file = nullptr;
  int dim = -1, var = -1;
  const int status = sv_create(io, "hints.nc", 0, &file);
  if (status == SV_ECOMPILED) return SV_MUST(sv_finalize(io));
  ok(status, "sv_create, " + store);
  SV_MUST(sv_def_dim(file, "x", 4, &dim));
  SV_MUST(sv_def_var(file, "a", SV_INT, 1, &dim, &var));
  const Verdict verdict{SV_ECONFIG, {"hints.nc", "cb_config_list", "3000 characters"}};
  expect("sv_enddef, " + store, verdict, [&] { return sv_enddef(file); });
  expect("sv_close, " + store, verdict, [&] { return sv_close(file); });
  SV_MUST(sv_finalize(io));
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (const char *store : {"pnetcdf", "netcdf4"}) try_store(store);
  return MPI_Finalize();
}
