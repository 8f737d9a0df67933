/* Measures what streams cost beyond the work that a model would do itself, in ratios of interleaved runs, in processor
 * time:
 *
 *   mpiexec -n 1 stream_costs FOLDER [WEIGHTS]     FOLDER gets files, which are written again and again
 *
 * mean      24 steps of a mean, to a bare loop that adds as many arrays
 * output    the step that ends the period of a mean, without its addition, to a put of the array
 * question  seconds of sv_inq_field_wanted for a field that no stream has, and for one that is not due
 * fields    a step of ten fields that are sent, of 1000 that are declared, to one of ten that are declared
 * form      a file in the form of CMIP7 (chunks of many records, published), to a growing one, both compressed, in
 * elapsed time from its beginning to its end remapping the step that remaps a field of 720 x 1440 cells with WEIGHTS,
 * to a put of it, in elapsed time: cdo -f nc4 genycon,r360x180 -topo,r1440x720 WEIGHTS
 *
 * Medians, least and greatest of rounds, each of the slowest rank. */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sverdrup/streams.h>
#include <time.h>

enum { rounds = 15, steps = 24, levels = 50, rows = 180, columns = 360, questions = 1000000, many = 1000, sent = 10 };

static int rank, ranks;
static sv_context *io;
static const char *folder;

static void check(int status) {
  if (status == SV_OK) return;
  fprintf(stderr, "stream_costs: rank %d: %s\n", rank, sv_message());
  MPI_Abort(MPI_COMM_WORLD, status);
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static void print(const char *what, double *numbers, const char *unit) {
  MPI_Allreduce(MPI_IN_PLACE, numbers, rounds, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  qsort(numbers, rounds, sizeof *numbers, ascending);
  if (rank == 0)
    printf("%-34s %9.3f %s  (%.3f to %.3f)\n", what, numbers[rounds / 2], unit, numbers[0], numbers[rounds - 1]);
}

static double now(void) {
  struct timespec time;
  MPI_Barrier(MPI_COMM_WORLD);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static const sv_stream_axis axes[] = {
    {.name = "lev", .length = levels}, {.name = "lat", .length = rows}, {.name = "lon", .length = columns}};
static sv_decomp *grid;
static int64_t own_rows, own_cells;

static void decompose(void) {
  const int64_t shape[] = {rows, columns};
  int64_t start[] = {0, 0}, count[] = {0, columns};
  check(sv_block(rows, ranks, rank, &start[0], &count[0]));
  own_rows = count[0];
  own_cells = levels * own_rows * columns;
  check(sv_def_decomp(io, 2, shape, start, count, NULL, &grid));
}

/* The date after so many hours. */
static void date_of(int64_t hours, int date[6]) {
  const int made[6] = {2001, 1 + (int)(hours / 24 / 30), 1 + (int)(hours / 24 % 30), (int)(hours % 24), 0, 0};
  for (int i = 0; i < 6; ++i) date[i] = made[i];
}

/* A run with one stream of `frequency` and `operation`, and fields of this type. The first of them is *field. */
static sv_streams *begin(const char *name, const char *frequency, int type, int fields, int naxes) {
  sv_streams *streams;
  char keys[1024], field[32];
  int number;
  snprintf(keys, sizeof keys, "{file: '%s/%s_%%Y.nc', frequency: %s, operation: mean, fields: ['s*']}", folder, name,
           frequency);
  check(sv_open_streams(io, NULL, &streams));
  check(sv_def_stream(streams, name, keys));
  for (int i = 0; i < fields; ++i) {
    snprintf(field, sizeof field, i < sent ? "s%d" : "f%d", i);
    check(sv_def_stream_field(streams,
                              &(sv_stream_field){.name = field,
                                                 .decomp = grid,
                                                 .type = type,
                                                 .file_type = SV_FLOAT,
                                                 .naxes = naxes,
                                                 .axes = axes + 3 - naxes},
                              &number));
  }
  check(
      sv_begin_streams(streams, &(sv_stream_start){.calendar = "360_day", .date = {2001, 1, 1}, .step_seconds = 3600}));
  return streams;
}

static void end(sv_streams *streams) {
  check(sv_end_step(io));
  sv_close_streams(streams); /* periods are incomplete */
}

__attribute__((noinline)) static void add_doubles(double *restrict sums, const double *restrict values, int64_t n) {
  for (int64_t i = 0; i < n; ++i) sums[i] += values[i];
}

__attribute__((noinline)) static void add_floats(double *restrict sums, const float *restrict values, int64_t n) {
  for (int64_t i = 0; i < n; ++i) sums[i] += values[i];
}

static void measure_mean(int type, const void *values, const char *what) {
  double *const sums = calloc((size_t)own_cells + 1, sizeof *sums), ratios[rounds];
  sv_streams *const streams = begin("mean", "2 years", type, 1, 3);
  int date[6];
  int64_t hour = 0;
  for (int round = -1; round < rounds; ++round) { /* the first one takes memory */
    double loop = 0, send = 0;
    for (int step = 0; step < steps; ++step) {
      const double start = now();
      if (type == SV_DOUBLE)
        add_doubles(sums, values, own_cells);
      else
        add_floats(sums, values, own_cells);
      const double between = now();
      date_of(++hour, date);
      check(sv_send_field(streams, 0, date, values));
      loop += between - start;
      send += now() - between;
    }
    if (round >= 0) ratios[round] = send / loop;
  }
  print(what, ratios, "");
  end(streams);
  free(sums);
}

static void measure_output(const double *values) {
  sv_streams *const streams = begin("output", "3 hours", SV_DOUBLE, 1, 3);
  double ratios[rounds];
  sv_file *file;
  int dims[4], var, date[6];
  char path[512];
  int64_t hour = 0;
  snprintf(path, sizeof path, "%s/put.nc", folder);
  check(sv_create(io, path, SV_CLOBBER, &file));
  check(sv_def_dim(file, "time", SV_UNLIMITED, &dims[0]));
  for (int d = 0; d < 3; ++d) check(sv_def_dim(file, axes[d].name, axes[d].length, &dims[d + 1]));
  check(sv_def_var(file, "s0", SV_FLOAT, 4, dims, &var));
  check(sv_enddef(file));
  for (int round = -1; round < rounds; ++round) {
    double seconds[3];
    for (int step = 0; step < 3; ++step) {
      date_of(++hour, date);
      const double start = now();
      check(sv_send_field(streams, 0, date, values));
      seconds[step] = now() - start;
    }
    const double start = now();
    check(sv_put(file, var, grid, round + 1, SV_DOUBLE, values, NULL));
    const double put = now() - start;
    check(sv_end_step(io));
    if (round >= 0) ratios[round] = (seconds[2] - seconds[1]) / put;
  }
  print("output of a mean / put", ratios, "");
  check(sv_close(file));
  end(streams);
}

static double elapsed(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime();
}

static void measure_remapping(const char *weights) {
  enum { fine_rows = 720, fine_columns = 1440 };
  const sv_stream_axis fine[] = {{.name = "y", .length = fine_rows}, {.name = "x", .length = fine_columns}};
  const int64_t shape[] = {fine_rows, fine_columns};
  int64_t start[] = {0, 0}, count[] = {0, fine_columns};
  sv_decomp *whole;
  sv_streams *streams;
  sv_file *file;
  int dims[3], var, field, date[6];
  char text[2048];
  double ratios[rounds];
  check(sv_block(fine_rows, ranks, rank, &start[0], &count[0]));
  check(sv_def_decomp(io, 2, shape, start, count, NULL, &whole));
  const int64_t cells = count[0] * fine_columns;
  double *const values = malloc((size_t)(cells + 1) * sizeof *values);
  for (int64_t i = 0; i < cells; ++i) values[i] = (double)(i % 1013) / 7 - 40;
  snprintf(text, sizeof text, "{file: '%s/grid_%%Y.nc', frequency: 1 hour, grid: {weights: '%s'}, fields: [s]}", folder,
           weights);
  check(sv_open_streams(io, NULL, &streams));
  check(sv_def_stream(streams, "grid", text));
  check(sv_def_stream_field(
      streams, &(sv_stream_field){.name = "s", .decomp = whole, .type = SV_DOUBLE, .naxes = 2, .axes = fine}, &field));
  check(
      sv_begin_streams(streams, &(sv_stream_start){.calendar = "360_day", .date = {2001, 1, 1}, .step_seconds = 3600}));
  snprintf(text, sizeof text, "%s/fine.nc", folder);
  check(sv_create(io, text, SV_CLOBBER, &file));
  check(sv_def_dim(file, "time", SV_UNLIMITED, &dims[0]));
  for (int d = 0; d < 2; ++d) check(sv_def_dim(file, fine[d].name, fine[d].length, &dims[d + 1]));
  check(sv_def_var(file, "s", SV_DOUBLE, 3, dims, &var));
  check(sv_enddef(file));
  for (int round = -1; round < rounds; ++round) {
    date_of(round + 2, date);
    const double before = elapsed();
    check(sv_send_field(streams, field, date, values));
    const double between = elapsed();
    check(sv_put(file, var, whole, round + 1, SV_DOUBLE, values, NULL));
    if (round >= 0) ratios[round] = (between - before) / (elapsed() - between);
    check(sv_end_step(io));
    check(sv_flush(io, SV_WRITTEN));
  }
  print("remapping / put of the source", ratios, "");
  check(sv_close_streams(streams));
  check(sv_close(file));
  check(sv_free_decomp(whole));
  free(values);
}

enum { days = 120, kinds_of_days = 8 };

/* A year of daily means by a stream with these keys. */
static double seconds_of_form(const char *keys, const float *values) {
  sv_streams *streams;
  int field;
  const double start = elapsed();
  check(sv_open_streams(io, NULL, &streams));
  check(sv_def_stream(streams, "form", keys));
  const sv_stream_field s = {.name = "s", .decomp = grid, .type = SV_FLOAT, .naxes = 2, .axes = axes + 1, .units = "K"};
  check(sv_def_stream_field(streams, &s, &field));
  check(sv_begin_streams(streams,
                         &(sv_stream_start){.calendar = "360_day", .date = {2001, 1, 1}, .step_seconds = 86400}));
  for (int day = 1; day <= days; ++day) {
    int date[6];
    date_of(24 * (int64_t)day, date);
    check(sv_send_field(streams, field, date, values + day % kinds_of_days * own_rows * columns));
    check(sv_end_step(io));
  }
  check(sv_close_streams(streams));
  check(sv_flush(io, SV_WRITTEN));
  return elapsed() - start;
}

/* Both by a context of their own, since the format is one of its settings. */
static void measure_form(void) {
  const char *const settings[] = {"format=netcdf4", "compression=deflate:1", "chunks=auto", "summary.table=false"};
  check(sv_init(MPI_COMM_WORLD, NULL, 4, settings, &io));
  decompose();
  float *const values = malloc((size_t)(kinds_of_days * own_rows * columns + 1) * sizeof *values);
  for (int64_t i = 0; i < kinds_of_days * own_rows * columns; ++i)
    values[i] = 280 + (float)(i / columns % 97) / 7 + (float)(i * i % 1009) / 2000 +
                (float)(i % columns * (columns - i % columns)) / 2000;
  char grown[1024], published[2048];
  snprintf(grown, sizeof grown, "{file: '%s/grown.nc', frequency: 1 day, operation: mean, fields: [s]}", folder);
  snprintf(published, sizeof published,
           "{file: '%s/form_%%Y%%m%%d-{%%Y%%m%%d}.nc', file_period: 1 year, frequency: 1 day, operation: mean, "
           "time_units: days since 1850-01-01, axes: {lat: {name: latitude, attributes: {units: degrees_north}}}, "
           "attributes: {tracking_id: 'hdl:21.14107/{uuid}', creation_date: '{now}'}, fields: [s: {name: tas, "
           "attributes: {missing_value: 1.0e+20}, scalars: {height: {value: 2.0, attributes: {units: m}}}}]}",
           folder);
  double ratios[rounds];
  for (int round = -1; round < rounds; ++round) {
    const double plain = seconds_of_form(grown, values), form = seconds_of_form(published, values);
    if (round >= 0) ratios[round] = form / plain;
  }
  print("form of CMIP7 / growing file", ratios, "");
  free(values);
  check(sv_finalize(io));
}

static void measure_question(const char *what, const char *name, int fields, int field) {
  sv_streams *const streams = begin(name, "1 year", SV_DOUBLE, fields, 2);
  double nanoseconds[rounds];
  int date[6], wanted = 0;
  date_of(1, date);
  for (int round = 0; round < rounds; ++round) {
    const double start = now();
    for (int i = 0; i < questions; ++i) check(sv_inq_field_wanted(streams, field, date, &wanted));
    nanoseconds[round] = (now() - start) / questions * 1e9;
  }
  print(what, nanoseconds, "ns");
  end(streams);
}

static double seconds_of_steps(sv_streams *streams, int fields, int64_t *hour, const double *values) {
  const double start = now();
  for (int step = 0; step < steps; ++step) {
    int date[6], wanted;
    date_of(++*hour, date);
    for (int field = 0; field < fields; ++field) {
      check(sv_inq_field_wanted(streams, field, date, &wanted));
      if (wanted) check(sv_send_field(streams, field, date, values));
    }
  }
  return now() - start;
}

static void measure_fields(const double *values) {
  double ratios[rounds];
  const double start = now();
  sv_streams *const some = begin("some", "2 years", SV_DOUBLE, sent, 2);
  const double between = now();
  sv_streams *const all = begin("all", "2 years", SV_DOUBLE, many, 2);
  const double after = now();
  if (rank == 0)
    printf("%-34s %9.3f ms; of %d %.3f ms\n", "1000 declarations", (after - between) * 1e3, sent,
           (between - start) * 1e3);
  int64_t hours[2] = {0, 0};
  for (int round = -1; round < rounds; ++round) {
    const double few = seconds_of_steps(some, sent, &hours[0], values);
    const double of_many = seconds_of_steps(all, many, &hours[1], values);
    if (round >= 0) ratios[round] = of_many / few;
  }
  print("1000 fields / 10 fields, a step", ratios, "");
  end(some);
  end(all);
}

int main(int argc, char **argv) {
  if (argc != 2 && argc != 3) {
    fprintf(stderr, "stream_costs FOLDER [WEIGHTS]\n");
    return 2;
  }
  folder = argv[1];
  int threads;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads); /* as async: threads needs */
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  check(sv_init(MPI_COMM_WORLD, NULL, 0, NULL, &io));
  decompose();
  double *const doubles = malloc((size_t)(own_cells + 1) * sizeof *doubles);
  float *const floats = malloc((size_t)(own_cells + 1) * sizeof *floats);
  for (int64_t i = 0; i < own_cells; ++i) floats[i] = (float)(doubles[i] = (double)(i % 1013) / 7 - 40);
  measure_mean(SV_DOUBLE, doubles, "mean of double / loop");
  measure_mean(SV_FLOAT, floats, "mean of float / loop");
  measure_output(doubles);
  measure_question("a field that no stream has", "none", sent + 1, sent);
  measure_question("a field that is summed", "summed", 1, 0);
  measure_fields(doubles);
  if (argc == 3) measure_remapping(argv[2]);
  free(doubles);
  free(floats);
  check(sv_finalize(io));
  measure_form();
  MPI_Finalize();
  return 0;
}
