/* A program of PnetCDF that goes on when a call fails, and prints the codes of each rank: for faults_campaign.py.
 *
 *   faulty KIND FILE         KIND: collective, posted, buffered, alone, redefined, appended, unsynced or filled
 *   faulty check FILE N      whether the first N records of FILE are right, and the number of further whole records
 *
 * Each rank prints "RANK r first=CODE call=CALL close=CODE", and rank 0 "SYNCED n" when n records count for certain. */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ny = 32, nx = 100, records = 4 };
static int rank, ranks, file, time_dim, v[3], first, closed;
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

static double cell(int variable, int record, MPI_Offset row, int x) {
  return 1e6 * variable + 1e5 * record + 100.0 * (double)row + x;
}
static MPI_Offset first_row(int of) { return ny * of / ranks; }

static const double *block(double *to, int variable, int record) {
  for (MPI_Offset y = first_row(rank); y < first_row(rank + 1); ++y)
    for (int x = 0; x < nx; ++x) to[(y - first_row(rank)) * nx + x] = cell(variable, record, y, x);
  return to;
}

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

static void sync_after(int record) {
  DO(ncmpi_sync(file));
  int any = first;
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (any == NC_NOERR && rank == 0) printf("SYNCED %d\n", record + 1), fflush(stdout);
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

/* Nothing more is known of a file that was neither made nor opened. */
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

static void run(const char *kind, const char *path) {
  if (!begin(kind, path)) {
    closed = first;
    return;
  }
  const int old = strcmp(kind, "appended") == 0 ? records : 0;
  for (int record = old; record < old + records; ++record) {
    put(kind, record);
    if (strcmp(kind, "unsynced") != 0) sync_after(record);
    if (strcmp(kind, "redefined") == 0 && record == 1) redefine();
  }
  if (strcmp(kind, "buffered") == 0) ncmpi_buffer_detach(file);
  closed = ncmpi_close(file);
  DO(closed);
}

/* By one rank. 0: the file is right so far. */
static int check(const char *path, MPI_Offset least) {
  MPI_Offset found = 0;
  static double data[ny * nx];
  if (ncmpi_open(MPI_COMM_SELF, path, NC_NOWRITE, MPI_INFO_NULL, &file) != NC_NOERR) return least > 0;
  ncmpi_inq_unlimdim(file, &time_dim);
  if (ncmpi_inq_dimlen(file, time_dim, &found) != NC_NOERR) return 2;
  int wrong = found < least;
  for (int record = 0; record < found && !wrong; ++record)
    for (int i = 0; i < 2 && !wrong; ++i) {
      const MPI_Offset start[] = {record, 0, 0}, count[] = {1, ny, nx};
      if (ncmpi_get_vara_double_all(file, i, start, count, data) != NC_NOERR) wrong = 3;
      for (int y = 0; y < ny && !wrong; ++y)
        for (int x = 0; x < nx && !wrong; ++x) wrong = data[y * nx + x] != cell(i, record, y, x) ? 4 : 0;
    }
  printf("%lld records, %d\n", (long long)found, wrong);
  ncmpi_close(file);
  return wrong;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 3) MPI_Abort(MPI_COMM_WORLD, 2);
  if (strcmp(argv[1], "check") == 0) {
    const int wrong = check(argv[2], argc > 3 ? atoll(argv[3]) : 0);
    MPI_Finalize();
    return wrong;
  }
  run(argv[1], argv[2]);
  printf("RANK %d first=%d call=%s close=%d\n", rank, first, failed, closed);
  MPI_Finalize();
  return 0;
}
