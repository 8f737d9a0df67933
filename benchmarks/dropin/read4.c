/* Measures reading of netCDF-4 files by all ranks: rank 0 prints a line for each kind, its name and microseconds.
 * calls.py --program dropin-read4 --ranks N runs it with netCDF-C and by sv-run.
 *
 *   dropin-read4 DIRECTORY [MEBIBYTES]     MEBIBYTES: of a record of the large file, 32; it has 4 */
#include <math.h>
#include <mpi.h>
#include <string.h>
#include <unistd.h>

#include "timing.h"
// It needs netcdf.h.
#include <netcdf_par.h>

enum { records = 4, row = 1024, many_variables = 1000, many_cells = 100, times = 3 };
static int rank, ranks;
static size_t rows;

static void begin_together(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  begin();
}

/* Prints the longest elapsed time of a rank, or the sum of the processor times of all. */
static void end_together(const char *name, int calls) {
  const double taken = seconds() - begun;
  double all = 0;
  MPI_Reduce(&taken, &all, 1, MPI_DOUBLE, uses_processor_time() ? MPI_SUM : MPI_MAX, 0, MPI_COMM_WORLD);
  begun = seconds() - all;
  if (rank == 0) end(name, calls);
}

static void make_large(void) {
  const size_t cells = rows * row;
  float *const values = malloc(cells * sizeof *values);
  int file, dims[3], v;
  for (size_t i = 0; i < cells; ++i) values[i] = (float)sin(1e-3 * (double)i) + (float)(i % 16) * 1e-5F;
  must(nc_create("large.nc", NC_NETCDF4, &file));
  must(nc_def_dim(file, "time", NC_UNLIMITED, &dims[0]));
  must(nc_def_dim(file, "y", rows, &dims[1]));
  must(nc_def_dim(file, "x", row, &dims[2]));
  must(nc_def_var(file, "v", NC_FLOAT, 3, dims, &v));
  must(nc_def_var_chunking(file, v, NC_CHUNKED, (size_t[]){1, rows / 16, row / 2}));
  must(nc_def_var_deflate(file, v, 1, 1, 1));
  for (size_t record = 0; record < records; ++record)
    must(nc_put_vara_float(file, v, (size_t[]){record, 0, 0}, (size_t[]){1, rows, row}, values));
  must(nc_close(file));
  free(values);
}

static void make_many(void) {
  float values[many_cells] = {1};
  int file, dim, v;
  must(nc_create("many.nc", NC_NETCDF4, &file));
  must(nc_def_dim(file, "x", many_cells, &dim));
  for (int n = 0; n < many_variables; ++n) must(nc_def_var(file, numbered("v", n), NC_FLOAT, 1, &dim, &v));
  must(nc_put_var_float(file, v, values));
  must(nc_close(file));
}

/* The ranks are px by py, and each reads a block of each record. */
static void read_blocks(const char *name, size_t px, size_t py, int access) {
  const size_t nx = row / px, ny = rows / py, at = (size_t)rank;
  float *const values = malloc(nx * ny * sizeof *values);
  int file, v;
  begin_together();
  must(nc_open_par("large.nc", NC_NOWRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
  must(nc_inq_varid(file, "v", &v));
  if (access == NC_COLLECTIVE) must(nc_var_par_access(file, v, access)); /* otherwise each rank reads by itself */
  for (size_t record = 0; record < records; ++record)
    must(nc_get_vara_float(file, v, (size_t[]){record, at / px * ny, at % px * nx}, (size_t[]){1, ny, nx}, values));
  must(nc_close(file));
  end_together(name, records);
  free(values);
}

static void read_one_of_many(void) {
  float value = 0;
  int file;
  begin_together();
  for (int n = 0; n < times; ++n) {
    must(nc_open_par("many.nc", NC_NOWRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
    must(nc_get_var1_float(file, many_variables - 1, (size_t[]){0}, &value));
    must(nc_close(file));
    if (value != 1) exit(1);
  }
  end_together("open 1000 variables, one value", times);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 2 || chdir(argv[1]) != 0) MPI_Abort(MPI_COMM_WORLD, 2);
  rows = (size_t)(argc > 2 ? atoi(argv[2]) : 32) << 8;
  if (rank == 0) make_large();
  if (rank == 0) make_many();
  read_blocks("a record, in rows of chunks, together", 1, (size_t)ranks, NC_COLLECTIVE);
  read_blocks("a record, in rows of chunks, each by itself", 1, (size_t)ranks, NC_INDEPENDENT);
  read_blocks("a record, in columns that share chunks, together", (size_t)ranks, 1, NC_COLLECTIVE);
  read_one_of_many();
  MPI_Finalize();
  return 0;
}
