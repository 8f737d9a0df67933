/* A program of netCDF-4 that goes on when a call fails, and prints the codes of each rank: for faults_campaign.py.
 *
 *   netcdf4_faulty KIND FILE         KIND: netcdf4, netcdf4_plain, netcdf4_redefined or netcdf4_appended
 *   netcdf4_faulty check FILE N      whether the first N records of FILE are right, and all others that it has
 *
 * Each rank prints "RANK r first=CODE call=CALL close=CODE", and rank 0 "SYNCED n" when n records count for certain. */
#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ny = 32, nx = 100, records = 4 };
static int rank, ranks, file, v[3], first, closed;
static const char *failed = "-";

/* Keeps the first code, and the call. */
#define DO(call)                                 \
  do {                                           \
    const int code = (call);                     \
    if (code != NC_NOERR && first == NC_NOERR) { \
      first = code;                              \
      failed = #call;                            \
    }                                            \
  } while (0)

static double cell(int variable, int record, int row, int x) { return 1e6 * variable + 1e5 * record + 100.0 * row + x; }
static int first_row(int of) { return ny * of / ranks; }

static void define(int compressed) {
  int dims[3];
  DO(nc_def_dim(file, "time", NC_UNLIMITED, &dims[0]));
  DO(nc_def_dim(file, "y", ny, &dims[1]));
  DO(nc_def_dim(file, "x", nx, &dims[2]));
  DO(nc_def_var(file, "a", NC_DOUBLE, 3, dims, &v[0]));
  DO(nc_def_var(file, "b", NC_DOUBLE, 3, dims, &v[1]));
  for (int i = 0; compressed && i < 2; ++i) DO(nc_def_var_deflate(file, v[i], 1, 1, 1));
  DO(nc_enddef(file));
}

/* A record of a and b. */
static void put(int record) {
  static double data[ny * nx];
  const size_t start[] = {(size_t)record, (size_t)first_row(rank), 0};
  const size_t count[] = {1, (size_t)(first_row(rank + 1) - first_row(rank)), nx};
  for (int i = 0; i < 2; ++i) {
    for (int y = first_row(rank); y < first_row(rank + 1); ++y)
      for (int x = 0; x < nx; ++x) data[(y - first_row(rank)) * nx + x] = cell(i, record, y, x);
    DO(nc_put_vara_double(file, v[i], start, count, data));
  }
}

static void sync_after(int record) {
  DO(nc_sync(file));
  int any = first;
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (any == NC_NOERR && rank == 0) printf("SYNCED %d\n", record + 1), fflush(stdout);
}

static void redefine(void) {
  int dim;
  double row[nx];
  DO(nc_redef(file));
  DO(nc_inq_dimid(file, "x", &dim));
  DO(nc_def_var(file, "late", NC_DOUBLE, 1, &dim, &v[2]));
  DO(nc_put_att_text(file, v[2], "long_name", 12, "a late field"));
  DO(nc_enddef(file));
  for (int x = 0; x < nx; ++x) row[x] = cell(2, 0, 0, x);
  DO(nc_var_par_access(file, v[2], NC_COLLECTIVE));
  DO(nc_put_var_double(file, v[2], row));
}

/* 0: the file was neither made nor opened. */
static int begin(const char *kind, const char *path) {
  if (strcmp(kind, "netcdf4_appended") == 0) {
    DO(nc_open_par(path, NC_WRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
    if (first != NC_NOERR) return 0;
    DO(nc_inq_varid(file, "a", &v[0]));
    DO(nc_inq_varid(file, "b", &v[1]));
  } else {
    DO(nc_create_par(path, NC_CLOBBER | NC_NETCDF4, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
    if (first != NC_NOERR) return 0;
    define(strcmp(kind, "netcdf4_plain") != 0);
  }
  for (int i = 0; i < 2; ++i) DO(nc_var_par_access(file, v[i], NC_COLLECTIVE));
  return 1;
}

static void run(const char *kind, const char *path) {
  if (!begin(kind, path)) {
    closed = first;
    return;
  }
  const int old = strcmp(kind, "netcdf4_appended") == 0 ? records : 0;
  for (int record = old; record < old + records; ++record) {
    put(record);
    sync_after(record);
    if (strcmp(kind, "netcdf4_redefined") == 0 && record == 1) redefine();
  }
  closed = nc_close(file);
  DO(closed);
}

/* By one rank. 0: the file is right so far. */
static int check(const char *path, size_t least) {
  size_t found = 0;
  int dim = -1;
  static double data[ny * nx];
  if (nc_open(path, NC_NOWRITE, &file) != NC_NOERR) return least > 0;
  if (nc_inq_unlimdim(file, &dim) != NC_NOERR || nc_inq_dimlen(file, dim, &found) != NC_NOERR) return 2;
  int wrong = found < least;
  for (size_t record = 0; record < found && !wrong; ++record)
    for (int i = 0; i < 2 && !wrong; ++i) {
      const size_t start[] = {record, 0, 0}, count[] = {1, ny, nx};
      if (nc_get_vara_double(file, i, start, count, data) != NC_NOERR) wrong = 3;
      for (int y = 0; y < ny && !wrong; ++y)
        for (int x = 0; x < nx && !wrong; ++x) wrong = data[y * nx + x] != cell(i, (int)record, y, x) ? 4 : 0;
    }
  printf("%zu records, %d\n", found, wrong);
  nc_close(file);
  return wrong;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 3) MPI_Abort(MPI_COMM_WORLD, 2);
  if (strcmp(argv[1], "check") == 0) {
    const int wrong = check(argv[2], argc > 3 ? (size_t)atoll(argv[3]) : 0);
    MPI_Finalize();
    return wrong;
  }
  run(argv[1], argv[2]);
  printf("RANK %d first=%d call=%s close=%d\n", rank, first, failed, closed);
  MPI_Finalize();
  return 0;
}
