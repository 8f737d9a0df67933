#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sverdrup/sverdrup.h>

enum { fields = 8, records = 3 };

static void check(int status) {
  if (status == SV_OK) return;
  fprintf(stderr, "%s\n", sv_message());
  MPI_Abort(MPI_COMM_WORLD, status);
}

/* Eight small fields a record: each is recorded where the model computes it, and all are written together. */
int main(int argc, char **argv) {
  const int64_t ny = 36, nx = 72, shape[2] = {ny, nx};
  int rank, ranks, lon, lat, time, tracer[fields];
  int64_t js, nj;
  sv_context *io;
  sv_decomp *grid;
  sv_file *file;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  check(sv_block(ny, ranks, rank, &js, &nj));
  float *t = calloc((size_t)(fields * nj * nx), sizeof *t);
  if (t == NULL) check(SV_ENOMEM);

  check(sv_init(MPI_COMM_WORLD, NULL, 0, NULL, &io));
  const int64_t start[2] = {js, 0}, count[2] = {nj, nx};
  check(sv_def_decomp(io, 2, shape, start, count, NULL, &grid));
  check(sv_create(io, "requests20.nc", 0, &file));
  check(sv_def_dim(file, "lon", nx, &lon));
  check(sv_def_dim(file, "lat", ny, &lat));
  check(sv_def_dim(file, "time", SV_UNLIMITED, &time));
  for (int v = 0; v < fields; ++v) {
    const char name[] = {'t', 'r', (char)('1' + v), '\0'};
    check(sv_def_var(file, name, SV_FLOAT, 3, (int[]){time, lat, lon}, &tracer[v]));
  }
  check(sv_enddef(file));
  for (int n = 0; n < records; ++n) {
    for (int v = 0; v < fields; ++v) {
      float *const own = t + v * nj * nx;
      for (int64_t i = 0; i < nj * nx; ++i) own[i] = (float)(1000 * (v + 1) + 100 * (n + 1) + js + i / nx + 1);
      check(sv_iput(file, tracer[v], grid, n, (sv_source){SV_FLOAT, own, NULL}, NULL)); /* `own` must stay as it is */
    }
    check(sv_wait(file, SV_ALL, NULL, NULL)); /* until here */
    check(sv_end_step(io));
  }
  check(sv_close(file));
  check(sv_finalize(io));
  free(t);
  return MPI_Finalize() != MPI_SUCCESS;
}
