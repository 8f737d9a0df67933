/* Sverdrup: one file of all ranks. */
#include <sverdrup/sverdrup.h>

#include "layers.h"

void call_sverdrup(int rank, int ranks) {
  sv_context *io = NULL;
  sv_decomp *grid = NULL;
  sv_file *file = NULL;
  int time = 0, z = 0, y = 0, x = 0, sst = 0, depth = 0, temp = 0;
  double data[3 * 12] = {0};
  const double *block = data;
  const int64_t shape[2] = {ranks, 6}, start[2] = {rank, 0}, count[2] = {1, 6}, from[1] = {rank}, one[1] = {rank == 0};
  const int64_t no_record = SV_NO_RECORD;
  MUST(sv_init(MPI_COMM_WORLD, NULL, 0, NULL, &io));
  MUST(sv_def_decomp(io, 2, shape, start, count, NULL, &grid));
  MUST(sv_create(io, "sverdrup.nc", 0, &file));
  MUST(sv_def_dim(file, "time", SV_UNLIMITED, &time));
  MUST(sv_def_dim(file, "z", 3, &z));
  MUST(sv_def_dim(file, "y", ranks, &y));
  MUST(sv_def_dim(file, "x", 6, &x));
  MUST(sv_def_var(file, "sst", SV_FLOAT, 3, (int[]){time, y, x}, &sst));
  MUST(sv_def_var(file, "depth", SV_DOUBLE, 1, (int[]){z}, &depth));
  MUST(sv_def_var(file, "temp", SV_DOUBLE, 3, (int[]){z, y, x}, &temp));
  MUST(sv_enddef(file));
  MUST(sv_put(file, temp, grid, no_record, SV_DOUBLE, data, NULL));
  MUST(sv_put_var(file, depth, no_record, SV_DOUBLE, data, NULL));
  MUST(sv_put_vara(file, depth, from, one, SV_DOUBLE, data, NULL));
  MUST(sv_put(file, sst, grid, 0, SV_DOUBLE, data, NULL));
  MUST(sv_end_step(io));
  MUST(sv_iput(file, sst, grid, 1, (sv_source){SV_DOUBLE, data, NULL}, NULL));
  MUST(sv_wait(file, SV_ALL, NULL, NULL));
  const sv_source values = {SV_DOUBLE, block, NULL};
  MUST(sv_mput(file, 1, &temp, (const sv_decomp *const *)&grid, &no_record, &values));
  MUST(sv_close(file));
  MUST(sv_open(io, "sverdrup.nc", SV_NOWRITE, &file));
  MUST(sv_inq_varid(file, "sst", &sst));
  MUST(sv_get(file, sst, grid, 1, SV_DOUBLE, data, NULL));
  MUST(sv_close(file));
  MUST(sv_free_decomp(grid));
  MUST(sv_finalize(io));
}
