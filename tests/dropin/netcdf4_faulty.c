/* A program of netCDF-4 that goes on when a call fails (faulty.h).
 *
 *   netcdf4_faulty KIND FILE         KIND: netcdf4, netcdf4_plain, netcdf4_redefined or netcdf4_appended; without MPI,
 *                                    netcdf4_serial, netcdf4_serial_redefined, netcdf4_serial_appended or
 *                                    netcdf4_serial_appended_nothing
 *   netcdf4_faulty check FILE N */
#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>

#include "faulty.h"

static int needs_mpi(const char *kind) { return strstr(kind, "serial") == NULL && strcmp(kind, "check") != 0; }

static int create(const char *path) {
  const int mode = NC_CLOBBER | NC_NETCDF4;
  return uses_mpi ? nc_create_par(path, mode, MPI_COMM_WORLD, MPI_INFO_NULL, &file) : nc_create(path, mode, &file);
}

static int open_to_append(const char *path) {
  return uses_mpi ? nc_open_par(path, NC_WRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file) : nc_open(path, NC_WRITE, &file);
}

static void access_together(int variable) {
  if (uses_mpi) DO(nc_var_par_access(file, variable, NC_COLLECTIVE));
}

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

static void redefine(void) {
  int dim;
  double row[nx];
  DO(nc_redef(file));
  DO(nc_inq_dimid(file, "x", &dim));
  DO(nc_def_var(file, "late", NC_DOUBLE, 1, &dim, &v[2]));
  DO(nc_put_att_text(file, v[2], "long_name", 12, "a late field"));
  DO(nc_enddef(file));
  for (int x = 0; x < nx; ++x) row[x] = cell(2, 0, 0, x);
  access_together(v[2]);
  DO(nc_put_var_double(file, v[2], row));
}

static int begin(const char *kind, const char *path) {
  if (strstr(kind, "appended") != NULL) {
    DO(open_to_append(path));
    if (first != NC_NOERR) return 0;
    DO(nc_inq_varid(file, "a", &v[0]));
    DO(nc_inq_varid(file, "b", &v[1]));
  } else {
    DO(create(path));
    if (first != NC_NOERR) return 0;
    define(strcmp(kind, "netcdf4_plain") != 0);
  }
  for (int i = 0; i < 2; ++i) access_together(v[i]);
  return 1;
}

static void put_record(const char *kind, int record) {
  static double data[ny * nx];
  const size_t start[] = {(size_t)record, (size_t)first_row(rank), 0};
  const size_t count[] = {1, (size_t)(first_row(rank + 1) - first_row(rank)), nx};
  for (int i = 0; i < 2; ++i) DO(nc_put_vara_double(file, v[i], start, count, block(data, i, record)));
  DO(nc_sync(file));
  report_synced(record + 1);
  if (strstr(kind, "redefined") != NULL && record == 1) redefine();
}

static int end(const char *kind) {
  (void)kind;
  return nc_close(file);
}

static int check(const char *path, long long least) {
  size_t found = 0;
  int dim = -1;
  static double data[ny * nx];
  if (nc_open(path, NC_NOWRITE, &file) != NC_NOERR) return least > 0;
  if (nc_inq_unlimdim(file, &dim) != NC_NOERR || nc_inq_dimlen(file, dim, &found) != NC_NOERR) return 2;
  int wrong = (long long)found < least;
  for (size_t record = 0; record < found && !wrong; ++record)
    for (int i = 0; i < 2 && !wrong; ++i) {
      const size_t start[] = {record, 0, 0}, count[] = {1, ny, nx};
      if (nc_get_vara_double(file, i, start, count, data) != NC_NOERR)
        wrong = 3;
      else if (!is_right(data, i, (int)record))
        wrong = 4;
    }
  printf("%zu records, %d\n", found, wrong);
  nc_close(file);
  return wrong;
}
