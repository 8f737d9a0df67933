/* A program of PnetCDF that goes on when a call fails (faulty.h).
 *
 *   faulty KIND FILE         KIND: collective, posted, buffered, alone, redefined, appended, unsynced or filled
 *   faulty check FILE N */
#include <pnetcdf.h>

#include "faulty.h"

static int needs_mpi(const char *kind) { return kind != NULL; }

static void define(void) {
  int dims[3];
  DO(ncmpi_def_dim(file, "time", NC_UNLIMITED, &dims[0]));
  DO(ncmpi_def_dim(file, "y", ny, &dims[1]));
  DO(ncmpi_def_dim(file, "x", nx, &dims[2]));
  DO(ncmpi_def_var(file, "a", NC_DOUBLE, 3, dims, &v[0]));
  DO(ncmpi_def_var(file, "b", NC_DOUBLE, 3, dims, &v[1]));
}

/* A record of a and b, in the way of `kind`. */
static void put(const char *kind, int record) {
  static double data[2][ny * nx];
  const MPI_Offset start[] = {record, first_row(rank), 0};
  const MPI_Offset count[] = {1, first_row(rank + 1) - start[1], nx};
  int requests[2] = {NC_REQ_NULL, NC_REQ_NULL}, statuses[2] = {0, 0};
  if (strcmp(kind, "alone") == 0) DO(ncmpi_begin_indep_data(file));
  if (strcmp(kind, "filled") == 0)
    for (int i = 0; i < 2; ++i) DO(ncmpi_fill_var_rec(file, v[i], record));
  for (int i = 0; i < 2; ++i) {
    block(data[i], i, record);
    if (strcmp(kind, "posted") == 0)
      DO(ncmpi_iput_vara_double(file, v[i], start, count, data[i], &requests[i]));
    else if (strcmp(kind, "buffered") == 0)
      DO(ncmpi_bput_vara_double(file, v[i], start, count, data[i], &requests[i]));
    else if (strcmp(kind, "alone") == 0)
      DO(ncmpi_put_vara_double(file, v[i], start, count, data[i]));
    else
      DO(ncmpi_put_vara_double_all(file, v[i], start, count, data[i]));
  }
  if (strcmp(kind, "posted") == 0 || strcmp(kind, "buffered") == 0) {
    DO(ncmpi_wait_all(file, 2, requests, statuses));
    for (int i = 0; i < 2; ++i) DO(statuses[i]);
  }
  if (strcmp(kind, "alone") == 0) DO(ncmpi_end_indep_data(file));
}

static void redefine(void) {
  int dim;
  double row[nx];
  DO(ncmpi_redef(file));
  DO(ncmpi_inq_dimid(file, "x", &dim));
  DO(ncmpi_def_var(file, "late", NC_DOUBLE, 1, &dim, &v[2]));
  DO(ncmpi_put_att_text(file, v[2], "long_name", 60, "an attribute that makes the header longer, so that data move "));
  DO(ncmpi_enddef(file));
  for (int x = 0; x < nx; ++x) row[x] = cell(2, 0, 0, x);
  DO(ncmpi_put_var_double_all(file, v[2], row));
}

static int begin(const char *kind, const char *path) {
  const int is_old = strcmp(kind, "appended") == 0;
  if (is_old)
    DO(ncmpi_open(MPI_COMM_WORLD, path, NC_WRITE, MPI_INFO_NULL, &file));
  else
    DO(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &file));
  if (first != NC_NOERR) return 0;
  if (strcmp(kind, "buffered") == 0) DO(ncmpi_buffer_attach(file, 2 * sizeof(double) * ny * nx));
  if (is_old) {
    DO(ncmpi_inq_varid(file, "a", &v[0]));
    DO(ncmpi_inq_varid(file, "b", &v[1]));
    return 1;
  }
  define();
  if (strcmp(kind, "filled") == 0) DO(ncmpi_set_fill(file, NC_FILL, NULL));
  DO(ncmpi_enddef(file));
  return 1;
}

static void put_record(const char *kind, int record) {
  put(kind, record);
  if (strcmp(kind, "unsynced") != 0) {
    DO(ncmpi_sync(file));
    report_synced(record + 1);
  }
  if (strcmp(kind, "redefined") == 0 && record == 1) redefine();
}

static int end(const char *kind) {
  if (strcmp(kind, "buffered") == 0) ncmpi_buffer_detach(file);
  return ncmpi_close(file);
}

static int check(const char *path, long long least) {
  MPI_Offset found = 0;
  int time_dim = -1;
  static double data[ny * nx];
  if (ncmpi_open(MPI_COMM_SELF, path, NC_NOWRITE, MPI_INFO_NULL, &file) != NC_NOERR) return least > 0;
  ncmpi_inq_unlimdim(file, &time_dim);
  if (ncmpi_inq_dimlen(file, time_dim, &found) != NC_NOERR) return 2;
  int wrong = found < least;
  for (int record = 0; record < found && !wrong; ++record)
    for (int i = 0; i < 2 && !wrong; ++i) {
      const MPI_Offset start[] = {record, 0, 0}, count[] = {1, ny, nx};
      if (ncmpi_get_vara_double_all(file, i, start, count, data) != NC_NOERR)
        wrong = 3;
      else if (!is_right(data, i, record))
        wrong = 4;
    }
  printf("%lld records, %d\n", (long long)found, wrong);
  ncmpi_close(file);
  return wrong;
}
