/* Heat in a long sea, written with PnetCDF: one record every ten steps. */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int status) {
  if (status == NC_NOERR) return;
  fprintf(stderr, "%s\n", ncmpi_strerror(status));
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
  int rank, ranks, file, lat, lon, time, temp;

  MPI_Init(&argc, &argv);
  MPI_Comm comm = MPI_COMM_WORLD;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const int js = ny * rank / ranks, nj = ny * (rank + 1) / ranks - js;
  float *t = calloc((size_t)(2 * (nj + 2) * nx), sizeof *t);
  if (t == NULL) MPI_Abort(comm, 1);
  for (int j = 1; j <= nj; ++j)
    for (int i = 0; i < nx; ++i) t[j * nx + i] = (float)((js + j) % 30);

  check(ncmpi_create(comm, "heat.nc", NC_CLOBBER | NC_64BIT_OFFSET, MPI_INFO_NULL, &file));
  check(ncmpi_def_dim(file, "time", NC_UNLIMITED, &time));
  check(ncmpi_def_dim(file, "lat", ny, &lat));
  check(ncmpi_def_dim(file, "lon", nx, &lon));
  check(ncmpi_def_var(file, "temp", NC_FLOAT, 3, (int[]){time, lat, lon}, &temp));
  check(ncmpi_put_att_text(file, temp, "units", 4, "degC"));
  check(ncmpi_enddef(file));
  for (int n = 0; n < 50; ++n) {
    advance(comm, nj, nx, t, t + (nj + 2) * nx);
    if (n % 10 != 9) continue;
    const MPI_Offset start[3] = {n / 10, js, 0}, count[3] = {1, nj, nx};
    check(ncmpi_put_vara_float_all(file, temp, start, count, t + nx));
  }
  check(ncmpi_close(file));
  free(t);
  MPI_Finalize();
  return 0;
}
