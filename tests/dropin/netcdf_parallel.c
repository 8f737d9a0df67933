/* Makes a netCDF-4 file in parallel and opens it again; the first rank makes another by the calls of version 2.
 * Arguments: their names. */
#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int code, const char *what) {
  if (code == NC_NOERR) return;
  fprintf(stderr, "netcdf_parallel: %s: %s\n", what, nc_strerror(code));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv) {
  int rank, file, dim, variable;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc < 3) return 2;
  check(nc_create_par(argv[1], NC_NETCDF4 | NC_CLOBBER, MPI_COMM_WORLD, MPI_INFO_NULL, &file), "nc_create_par");
  check(nc_def_dim(file, "x", 2, &dim), "nc_def_dim");
  check(nc_def_var(file, "v", NC_INT, 1, &dim, &variable), "nc_def_var");
  check(nc_enddef(file), "nc_enddef");
  check(nc_var_par_access(file, variable, NC_COLLECTIVE), "nc_var_par_access");
  check(nc_put_vara_int(file, variable, (size_t[]){(size_t)rank % 2}, (size_t[]){1}, &rank), "nc_put_vara_int");
  check(nc_close(file), "nc_close");
  check(nc_open_par(argv[1], NC_NOWRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file), "nc_open_par");
  check(nc_close(file), "nc_close");
  if (rank == 0) {
    file = nccreate(argv[2], NC_CLOBBER);
    ncdimdef(file, "x", 2);
    ncendef(file);
    ncclose(file);
  }
  return MPI_Finalize();
}
