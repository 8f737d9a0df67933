/* The same fields written by two libraries, so that their call paths can be compared (docs/call-paths.md):
 *   same_field hdf5 FILE       netCDF-4 through netCDF-C and HDF5, collective, chunks as the library chooses
 *   same_field pnetcdf FILE    CDF-5 through PnetCDF, collective
 * Five diagnostics of 50 levels x 540 x 720 doubles, two records, divided among the ranks in rows and columns. */
#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { fields = 5, records = 2, nz = 50, ny = 540, nx = 720 };
static const char *const names[fields] = {"temp", "salt", "u", "v", "w"};

static void check(int status, const char *message) {
  if (status == NC_NOERR) return;
  fprintf(stderr, "same_field: %s\n", message);
  MPI_Abort(MPI_COMM_WORLD, 1);
}
static void check_nc(int status) { check(status, nc_strerror(status)); }
static void check_ncmpi(int status) { check(status, ncmpi_strerror(status)); }

static void write_hdf5(const char *path, const int *start, const int *count, const double *values) {
  int file, dims[4], vars[fields];
  check_nc(nc_create_par(path, NC_CLOBBER | NC_NETCDF4, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
  check_nc(nc_def_dim(file, "time", NC_UNLIMITED, &dims[0]));
  check_nc(nc_def_dim(file, "z", nz, &dims[1]));
  check_nc(nc_def_dim(file, "y", ny, &dims[2]));
  check_nc(nc_def_dim(file, "x", nx, &dims[3]));
  for (int i = 0; i < fields; ++i) {
    check_nc(nc_def_var(file, names[i], NC_DOUBLE, 4, dims, &vars[i]));
    check_nc(nc_put_att_text(file, vars[i], "units", 1, "1"));
    check_nc(nc_def_var_fill(file, vars[i], NC_NOFILL, NULL));
    check_nc(nc_var_par_access(file, vars[i], NC_COLLECTIVE));
  }
  check_nc(nc_enddef(file));
  for (size_t n = 0; n < records; ++n) {
    const size_t at[4] = {n, 0, (size_t)start[0], (size_t)start[1]},
                 of[4] = {1, nz, (size_t)count[0], (size_t)count[1]};
    for (int i = 0; i < fields; ++i) check_nc(nc_put_vara_double(file, vars[i], at, of, values));
  }
  check_nc(nc_close(file));
}

static void write_pnetcdf(const char *path, const int *start, const int *count, const double *values) {
  int file, dims[4], vars[fields];
  check_ncmpi(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &file));
  check_ncmpi(ncmpi_def_dim(file, "time", NC_UNLIMITED, &dims[0]));
  check_ncmpi(ncmpi_def_dim(file, "z", nz, &dims[1]));
  check_ncmpi(ncmpi_def_dim(file, "y", ny, &dims[2]));
  check_ncmpi(ncmpi_def_dim(file, "x", nx, &dims[3]));
  for (int i = 0; i < fields; ++i) {
    check_ncmpi(ncmpi_def_var(file, names[i], NC_DOUBLE, 4, dims, &vars[i]));
    check_ncmpi(ncmpi_put_att_text(file, vars[i], "units", 1, "1"));
  }
  check_ncmpi(ncmpi_enddef(file));
  for (MPI_Offset n = 0; n < records; ++n) {
    const MPI_Offset at[4] = {n, 0, start[0], start[1]}, of[4] = {1, nz, count[0], count[1]};
    for (int i = 0; i < fields; ++i) check_ncmpi(ncmpi_put_vara_double_all(file, vars[i], at, of, values));
  }
  check_ncmpi(ncmpi_close(file));
}

int main(int argc, char **argv) {
  int rank, ranks, parts[2] = {0, 0}, start[2], count[2];
  const int lengths[2] = {ny, nx};

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int uses_hdf5 = argc == 3 && strcmp(argv[1], "hdf5") == 0;
  if (!uses_hdf5 && (argc != 3 || strcmp(argv[1], "pnetcdf") != 0)) check(1, "usage: same_field hdf5|pnetcdf FILE");
  MPI_Dims_create(ranks, 2, parts);
  const int place[2] = {rank / parts[1], rank % parts[1]};
  for (int d = 0; d < 2; ++d) {
    start[d] = lengths[d] * place[d] / parts[d];
    count[d] = lengths[d] * (place[d] + 1) / parts[d] - start[d];
  }
  const size_t size = (size_t)nz * (size_t)count[0] * (size_t)count[1];
  double *values = malloc(size * sizeof *values);
  if (values == NULL) check(1, "no memory for a block");
  for (size_t i = 0; i < size; ++i) values[i] = (double)(i % 1000) + rank;
  (uses_hdf5 ? write_hdf5 : write_pnetcdf)(argv[2], start, count, values);
  free(values);
  MPI_Finalize();
  return 0;
}
