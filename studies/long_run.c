/* Whether a long run gets slower or larger: seconds a step of one file, seconds a file of many files, and the memory
 * of all ranks, for each tenth of the run.
 *
 *   mpiexec -n 4 long_run FOLDER STEPS FILES
 *
 * Prints one line for each tenth of the steps and of the files: "steps|files, work so far, median seconds of one, KiB".
 * A step writes one record of two variables; a file has three steps. Seconds are those of rank 0, which waits for all;
 * memory is the sum over ranks of anonymous and shared pages. The configuration is that of SV_CONFIG and the
 * environment. `studies/scripts/long-run` starts it. */
#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sverdrup/sverdrup.h>
#include <unistd.h>

enum { rows = 64, columns = 256, tenths = 10 };

static int rank;
static sv_context *io;
static sv_decomp *decomp;
static double *block;

static void check(int status) {
  if (status == SV_OK) return;
  fprintf(stderr, "long_run: rank %d: %s\n", rank, sv_message());
  MPI_Abort(MPI_COMM_WORLD, status);
}

/* The value of a row of /proc/self/status, in KiB. */
static long status_kib(const char *name) {
  char line[256];
  long found = 0;
  FILE *const status = fopen("/proc/self/status", "r");
  if (status == NULL) return 0;
  while (fgets(line, sizeof line, status) != NULL)
    if (strncmp(line, name, strlen(name)) == 0) found = strtol(line + strlen(name), NULL, 10);
  fclose(status);
  return found;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static void print_tenth(const char *what, int64_t done, double *seconds, int count) {
  long kib = status_kib("RssAnon:") + status_kib("RssShmem:");
  MPI_Allreduce(MPI_IN_PLACE, &kib, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  qsort(seconds, (size_t)count, sizeof *seconds, ascending);
  if (rank == 0) {
    printf("%s, %" PRId64 ", %.4g, %ld\n", what, done, seconds[count / 2], kib);
    fflush(stdout);
  }
}

static sv_file *create(const char *path, int variables[2]) {
  sv_file *file;
  int dims[3];
  check(sv_create(io, path, SV_CLOBBER, &file));
  check(sv_def_dim(file, "time", SV_UNLIMITED, &dims[0]));
  check(sv_def_dim(file, "y", rows, &dims[1]));
  check(sv_def_dim(file, "x", columns, &dims[2]));
  check(sv_def_var(file, "first", SV_FLOAT, 3, dims, &variables[0]));
  check(sv_def_var(file, "second", SV_DOUBLE, 3, dims, &variables[1]));
  check(sv_enddef(file));
  return file;
}

static void put_step(sv_file *file, const int variables[2], int64_t record) {
  check(sv_put(file, variables[0], decomp, record, SV_DOUBLE, block, NULL));
  check(sv_put(file, variables[1], decomp, record, SV_DOUBLE, block, NULL));
  check(sv_end_step(io));
}

static void run_steps(const char *folder, int count, double *seconds) {
  char path[4096];
  int variables[2];
  snprintf(path, sizeof path, "%s/steps.nc", folder);
  sv_file *const file = create(path, variables);
  for (int tenth = 0; tenth < tenths; ++tenth) {
    for (int step = 0; step < count; ++step) {
      const double begin = MPI_Wtime();
      put_step(file, variables, (int64_t)tenth * count + step);
      seconds[step] = MPI_Wtime() - begin;
    }
    print_tenth("steps", (int64_t)(tenth + 1) * count, seconds, count);
  }
  check(sv_close(file));
}

static void run_files(const char *folder, int count, double *seconds) {
  char path[4096];
  int variables[2];
  for (int tenth = 0; tenth < tenths; ++tenth) {
    for (int each = 0; each < count; ++each) {
      const double begin = MPI_Wtime();
      snprintf(path, sizeof path, "%s/file-%d.nc", folder, each % 64); /* so that few files stay */
      sv_file *const file = create(path, variables);
      for (int64_t record = 0; record < 3; ++record) put_step(file, variables, record);
      check(sv_close(file));
      seconds[each] = MPI_Wtime() - begin;
    }
    print_tenth("files", (int64_t)(tenth + 1) * count, seconds, count);
  }
}

int main(int argc, char **argv) {
  int ranks, level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 4) {
    if (rank == 0) fprintf(stderr, "usage: long_run FOLDER STEPS FILES\n");
    MPI_Finalize();
    return 2;
  }
  const int steps = atoi(argv[2]) / tenths, files = atoi(argv[3]) / tenths;
  const int64_t first = (int64_t)rank * rows / ranks, end = (int64_t)(rank + 1) * rows / ranks;
  const int64_t shape[2] = {rows, columns}, start[2] = {first, 0}, count[2] = {end - first, columns};
  double *const seconds = calloc((size_t)(steps > files ? steps : files) + 1, sizeof *seconds);
  block = calloc((size_t)((end - first) * columns) + 1, sizeof *block);
  if (block == NULL || seconds == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int64_t i = 0; i < (end - first) * columns; ++i) block[i] = (double)(first * columns + i);
  check(sv_init(MPI_COMM_WORLD, NULL, 0, NULL, &io));
  check(sv_def_decomp(io, 2, shape, start, count, NULL, &decomp));
  if (steps > 0) run_steps(argv[1], steps, seconds);
  if (files > 0) run_files(argv[1], files, seconds);
  check(sv_free_decomp(decomp));
  check(sv_finalize(io));
  free(block);
  free(seconds);
  MPI_Finalize();
  return 0;
}
