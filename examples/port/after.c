/* Heat in a long sea, written by servers while it is computed: one record every ten steps. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sverdrup/sverdrup.h>

static void check(int status) {
  if (status == SV_OK) return;
  fprintf(stderr, "%s\n", sv_message());
  MPI_Abort(MPI_COMM_WORLD, status);
}

/* One step of diffusion on rows 1 ... nj of a block with a halo of one row on either side. */
static void advance(MPI_Comm comm, int nj, int nx, float *t, float *work) {
  int rank, ranks;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const int south = rank > 0 ? rank - 1 : MPI_PROC_NULL, north = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
  MPI_Sendrecv(t + nj * nx, nx, MPI_FLOAT, north, 1, t, nx, MPI_FLOAT, south, 1, comm, MPI_STATUS_IGNORE);
  MPI_Sendrecv(t + nx, nx, MPI_FLOAT, south, 2, t + (nj + 1) * nx, nx, MPI_FLOAT, north, 2, comm, MPI_STATUS_IGNORE);
  for (int i = nx; i < (nj + 1) * nx; ++i) work[i] = t[i] + 0.2F * (t[i - nx] - 2 * t[i] + t[i + nx]);
  for (int i = nx; i < (nj + 1) * nx; ++i) t[i] = work[i];
}

int main(int argc, char **argv) {
  const int ny = 90, nx = 72;
  int rank, ranks, lat, lon, time, temp, computes;
  sv_context *io;
  sv_decomp *rows;
  sv_file *file;

  MPI_Init(&argc, &argv);
  MPI_Comm comm = MPI_COMM_WORLD;
  check(sv_init(comm, NULL, 0, NULL, &io)); /* "async: servers:1" in the configuration: one rank returns at the end */
  check(sv_is_model(io, &computes));
  if (!computes) return sv_finalize(io) || MPI_Finalize();
  check(sv_model_comm(io, &comm));
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const int js = ny * rank / ranks, nj = ny * (rank + 1) / ranks - js;
  float *t = calloc((size_t)(2 * (nj + 2) * nx), sizeof *t);
  if (t == NULL) MPI_Abort(comm, 1);
  for (int j = 1; j <= nj; ++j)
    for (int i = 0; i < nx; ++i) t[j * nx + i] = (float)((js + j) % 30);

  check(sv_def_decomp(io, 2, (int64_t[]){ny, nx}, (int64_t[]){js, 0}, (int64_t[]){nj, nx}, NULL, &rows));
  check(sv_create(io, "heat.nc", SV_64BIT_OFFSET, &file));
  check(sv_def_dim(file, "time", SV_UNLIMITED, &time));
  check(sv_def_dim(file, "lat", ny, &lat));
  check(sv_def_dim(file, "lon", nx, &lon));
  check(sv_def_var(file, "temp", SV_FLOAT, 3, (int[]){time, lat, lon}, &temp));
  check(sv_put_att_text(file, temp, "units", "degC"));
  check(sv_enddef(file));
  for (int n = 0; n < 50; ++n) {
    advance(comm, nj, nx, t, t + (nj + 2) * nx);
    if (n % 10 != 9) continue;
    check(sv_put(file, temp, rows, n / 10, SV_FLOAT, t + nx, NULL));
    check(sv_end_step(io));
  }
  check(sv_close(file));
  check(sv_finalize(io));
  free(t);
  MPI_Finalize();
  return 0;
}
