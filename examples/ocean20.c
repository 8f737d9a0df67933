#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sverdrup/sverdrup.h>

static void check(int status) { /* in C every status is the caller's business */
  if (status == SV_OK) return;
  fprintf(stderr, "%s\n", sv_message());
  MPI_Abort(MPI_COMM_WORLD, status);
}

int main(int argc, char **argv) {
  const int64_t ny = 36, nx = 72, shape[2] = {ny, nx};
  int rank, ranks, lon, lat, time, sst;
  int64_t js, nj;
  sv_context *io;
  sv_decomp *grid;
  sv_file *file;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  check(sv_block(ny, ranks, rank, &js, &nj));            /* this rank computes the rows js ... js + nj - 1 */
  float *t = calloc((size_t)((nj + 2) * nx), sizeof *t); /* and has a halo of one row on either side */
  if (t == NULL) check(SV_ENOMEM);

  check(sv_init(MPI_COMM_WORLD, NULL, 0, NULL, &io));
  const int64_t start[2] = {js, 0}, count[2] = {nj, nx}, halo[4] = {1, 1, 0, 0};
  check(sv_def_decomp(io, 2, shape, start, count, &(sv_decomp_options){.halo = halo}, &grid));
  check(sv_create(io, "ocean20.nc", 0, &file));
  check(sv_def_dim(file, "lon", nx, &lon));
  check(sv_def_dim(file, "lat", ny, &lat));
  check(sv_def_dim(file, "time", SV_UNLIMITED, &time));
  check(sv_def_var(file, "sst", SV_FLOAT, 3, (int[]){time, lat, lon}, &sst));
  check(sv_put_att_text(file, sst, "units", "degC"));
  check(sv_enddef(file));
  for (int n = 0; n < 3; ++n) {
    for (int64_t j = 0; j < nj; ++j)
      for (int64_t i = 0; i < nx; ++i) /* an ocean, of sorts */
        t[(j + 1) * nx + i] = 28.5F - (float)llabs(2 * (js + j) - ny + 1) + (float)(n + 1);
    check(sv_put(file, sst, grid, n, SV_FLOAT, t, NULL));
    check(sv_end_step(io)); /* commits the record */
  }
  check(sv_close(file));
  check(sv_finalize(io));
  free(t);
  return MPI_Finalize() != MPI_SUCCESS;
}
