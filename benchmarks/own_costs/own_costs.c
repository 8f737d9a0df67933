/* Measures the library's own costs without the writing: seconds of a context, of a file, of a put, of a segment of a
 * request, and of a byte, which is copied from the ranks' columns into rows. The report's finding `port` has these
 * figures (python/sverdrup/analysis/advice/own_costs.py).
 *
 *   mpiexec -n 16 own_costs FILE      FILE is written again and again, and removed
 *
 * Medians of rounds, each of the slowest rank. */
#include <fcntl.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sverdrup/sverdrup.h>
#include <unistd.h>

enum { rounds = 9, calls = 64, segments = 4096, rows = 1024, columns = 512 };

static int rank, ranks;
static sv_context *io;
static sv_file *file;
static int variable;

static void check(int status) {
  if (status == SV_OK) return;
  fprintf(stderr, "own_costs: rank %d: %s\n", rank, sv_message());
  MPI_Abort(MPI_COMM_WORLD, status);
}

static void *list_of(size_t count, size_t bytes) {
  void *const made = calloc(count, bytes);
  if (made == NULL) check(SV_ENOMEM);
  return made;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* Prints the median over rounds of `seconds` divided by `count`. */
static void tell(const char *what, double *seconds, int count) {
  MPI_Allreduce(MPI_IN_PLACE, seconds, rounds, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  qsort(seconds, rounds, sizeof *seconds, ascending);
  if (rank == 0) printf("%-8s %.3g s\n", what, seconds[rounds / 2] / count);
}

static double now(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime();
}

/* A file with one variable of two dimensions. */
static void open_file(const char *path, int64_t slow, int64_t fast) {
  int dims[2];
  check(sv_create(io, path, 0, &file));
  check(sv_def_dim(file, "slow", slow, &dims[0]));
  check(sv_def_dim(file, "fast", fast, &dims[1]));
  check(sv_def_var(file, "v", SV_DOUBLE, 2, dims, &variable));
  check(sv_enddef(file));
}

static void measure_files(const char *path) {
  double contexts[rounds], files[rounds];
  for (int r = 0; r < rounds; ++r) {
    const double begun = now();
    check(sv_init(MPI_COMM_WORLD, NULL, 0, NULL, &io));
    const double made = now();
    open_file(path, ranks, 1);
    check(sv_close(file));
    const double closed = now();
    check(sv_finalize(io));
    contexts[r] = now() - closed + made - begun;
    files[r] = closed - made;
  }
  tell("context", contexts, 1);
  tell("file", files, 1);
}

static void measure_puts(void) {
  double seconds[rounds];
  for (int r = 0; r < rounds; ++r) {
    const double begun = now();
    for (int p = 0; p < calls; ++p)
      check(sv_put_vara(file, variable, (int64_t[]){rank, p}, (int64_t[]){1, 1}, SV_DOUBLE, (double[]){p}, NULL));
    seconds[r] = now() - begun;
  }
  tell("put", seconds, calls);
}

/* Single cells that are dealt to the ranks in turn, as lists of cells have them: no rank can join any. */
static void measure_segments(void) {
  double seconds[rounds];
  int64_t(*const places)[2] = list_of(segments, sizeof *places);
  const int64_t **const starts = list_of(segments, sizeof *starts);
  const int64_t one[] = {1, 1}, **const counts = list_of(segments, sizeof *counts);
  double *const values = list_of(segments, sizeof *values);
  for (int s = 0; s < segments; ++s) {
    const int64_t cell = (int64_t)s * ranks + rank;
    places[s][0] = cell / segments;
    places[s][1] = cell % segments;
    starts[s] = places[s];
    counts[s] = one;
  }
  for (int r = 0; r < rounds; ++r) {
    const double begun = now();
    check(sv_iput_varn(file, variable, segments, starts, counts, (sv_source){SV_DOUBLE, values, NULL}, NULL));
    check(sv_wait(file, SV_ALL, NULL, NULL));
    seconds[r] = now() - begun;
  }
  tell("segment", seconds, segments);
  free(values);
  free(counts);
  free(starts);
  free(places);
}

/* One rank writes the same bytes over those that are there. */
static double write_seconds(const char *path, size_t bytes) {
  double took = 0;
  if (rank == 0) {
    char *const data = list_of(bytes, 1);
    memset(data, 1, bytes);
    const int descriptor = open(path, O_WRONLY);
    const double begun = MPI_Wtime();
    for (size_t done = 0; done < bytes;) {
      const ssize_t wrote = pwrite(descriptor, data + done, bytes - done, (off_t)done);
      if (wrote <= 0) MPI_Abort(MPI_COMM_WORLD, 1);
      done += (size_t)wrote;
    }
    took = MPI_Wtime() - begun;
    close(descriptor);
    free(data);
  }
  MPI_Bcast(&took, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return took;
}

/* The time of a put of columns without the writing, per byte. */
static void measure_bytes(const char *path) {
  double seconds[rounds];
  const size_t bytes = sizeof(double) * rows * columns * (size_t)ranks;
  double *const values = list_of((size_t)rows * columns, sizeof *values);
  memset(values, 1, sizeof(double) * rows * columns);
  open_file(path, rows, (int64_t)columns * ranks);
  const int64_t start[] = {0, (int64_t)columns * rank}, count[] = {rows, columns};
  check(sv_put_vara(file, variable, start, count, SV_DOUBLE, values, NULL)); /* the memory is there afterwards */
  check(sv_sync(file));
  char part[4096];
  snprintf(part, sizeof part, "%s.part", path);
  for (int r = 0; r < rounds; ++r) {
    const double begun = now();
    check(sv_put_vara(file, variable, start, count, SV_DOUBLE, values, NULL));
    seconds[r] = now() - begun - write_seconds(part, bytes);
    if (seconds[r] < 0) seconds[r] = 0;
  }
  tell("byte", seconds, 1);
  if (rank == 0) printf("         of %zu\n", bytes);
  check(sv_close(file));
  free(values);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 2) {
    if (rank == 0) fprintf(stderr, "usage: mpiexec -n N own_costs FILE\n");
    MPI_Finalize();
    return 2;
  }
  measure_files(argv[1]);
  check(sv_init(MPI_COMM_WORLD, NULL, 0, NULL, &io));
  open_file(argv[1], ranks, segments);
  measure_puts();
  measure_segments();
  check(sv_close(file));
  measure_bytes(argv[1]);
  check(sv_finalize(io));
  if (rank == 0) remove(argv[1]);
  return MPI_Finalize() != MPI_SUCCESS;
}
