/* The common part of faulty.c (PnetCDF) and netcdf4_faulty.c, which include this after their library's header: programs
 * that go on when a call fails, for faults_campaign.py.
 *
 *   PROGRAM KIND FILE         makes or appends records in the way of KIND
 *   PROGRAM check FILE N      whether the first N records of FILE are right, and all others that it has
 *
 * Each rank prints "RANK r first=CODE call=CALL close=CODE", and rank 0 "SYNCED n" when n records count for certain. */
#pragma once
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ny = 32, nx = 100, records = 4 };
static int rank, ranks = 1, uses_mpi, file, v[3], first, closed;
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

static const double *block(double *to, int variable, int record) {
  for (int y = first_row(rank); y < first_row(rank + 1); ++y)
    for (int x = 0; x < nx; ++x) to[(y - first_row(rank)) * nx + x] = cell(variable, record, y, x);
  return to;
}

/* After a call that synchronises so many records. */
static void report_synced(int count) {
  int any = first;
  if (uses_mpi) MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (any == NC_NOERR && rank == 0) printf("SYNCED %d\n", count), fflush(stdout);
}

static int is_right(const double *data, int variable, int record) {
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x)
      if (data[y * nx + x] != cell(variable, record, y, x)) return 0;
  return 1;
}

/* Of each program. `needs_mpi`: of a KIND, or `check`. `begin`: 0 if the file was neither made nor opened. `check`: by
 * one rank; 0: the file is right so far. */
static int needs_mpi(const char *kind);
static int begin(const char *kind, const char *path);
static void put_record(const char *kind, int record);
static int end(const char *kind);
static int check(const char *path, long long least);

static void run(const char *kind, const char *path) {
  if (!begin(kind, path)) {
    closed = first;
    return;
  }
  const int old = strstr(kind, "appended") != NULL ? records : 0;
  const int more = strstr(kind, "nothing") != NULL ? 0 : records;
  for (int record = old; record < old + more; ++record) put_record(kind, record);
  closed = end(kind);
  DO(closed);
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  uses_mpi = needs_mpi(argv[1]);
  if (uses_mpi) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  }
  int wrong = 0;
  if (strcmp(argv[1], "check") == 0) {
    wrong = check(argv[2], argc > 3 ? atoll(argv[3]) : 0);
  } else {
    run(argv[1], argv[2]);
    printf("RANK %d first=%d call=%s close=%d\n", rank, first, failed, closed);
    fflush(stdout);  // HDF5 may crash when the program ends
  }
  if (uses_mpi) MPI_Finalize();
  return wrong;
}
