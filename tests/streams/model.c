/* A model with streams, for streams_test.py: model RUNS
 *
 * It makes runs in turn, each with a context of its own. RUNS has a line for each: a folder, in which the run is made;
 * a calendar; the seconds of a step; 1 if the run continues; configurations, with which it is made in turn; and
 * KEY=VALUE, options of sv_init. The number of a run is printed before it, and the error of a run that fails. A file
 * CONFIG.model has a stream of the model itself (sv_def_stream): its name in the first line, and its keys.
 * The file `dates` has a line for the beginning and for the end of each step: year, month, day, hour, minute, second,
 * the number of the step, and an event: 0 none; 1 the streams are saved; 2 to 5 the process is killed before the step
 * is sent, within it, before sv_end_step, and behind it; n + 1000: it is killed n microseconds after this step began,
 * and the streams are saved until then. The file `saved` lists the steps whose save has returned. Values depend on cell
 * and step alone; streams_test.py computes them, too. With SV_TEST_SPARSE, `heat` is sent in every second step.
 */
#define _GNU_SOURCE /* feenableexcept */
#include <fcntl.h>
#include <fenv.h>
#include <math.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sverdrup/streams.h>
#include <time.h>
#include <unistd.h>

enum { LEV = 6, LAT = 6, LON = 6, RIVERS = 23, HALO = 1 };
enum { TEMP, SST, ICE, HEAT, RIVER, WIND, TRI, DEEP, FIELDS };
enum { MOST_WORDS = 200 };
enum { NO_EVENT, SAVE, KILL_BEFORE, KILL_WITHIN, KILL_BEFORE_END, KILL_AFTER, KILL_LATER = 1000 };

static int rank, ranks;

static void check(int status) {
  if (status == SV_OK) return;
  fprintf(stderr, "rank %d: %s\n", rank, sv_message());
  MPI_Abort(MPI_COMM_WORLD, status);
}

static uint64_t mixed(int field, int64_t cell, int64_t step) {
  uint64_t h = (uint64_t)cell * 2654435761u + (uint64_t)step * 40503u + (uint64_t)field * 977u;
  h ^= h >> 13;
  h *= 0x9E3779B97F4A7C15u;
  return h >> 40;
}

static double value(int field, int64_t cell, int64_t step, double missing) {
  const uint64_t h = mixed(field, cell, step);
  if (field != SST && field != HEAT && field != RIVER && field != TRI && (cell % 17 == 3 || h % 11 == 0))
    return missing;
  return field == ICE ? (double)(h % 2001) - 1000 : (double)(h % 1000003) / 997.0 - 400;
}

static struct {
  int64_t y, x, ny, nx;
  int64_t points, point[RIVERS];
  int64_t z, nz, row, rows; /* of the field whose levels are divided */
} own;

static void fill_block(int field, int64_t step, double missing, void *to, int levels) {
  const int64_t rows = own.ny + 2 * HALO, columns = own.nx + 2 * HALO;
  for (int64_t k = 0; k < levels; ++k)
    for (int64_t j = 0; j < own.ny; ++j)
      for (int64_t i = 0; i < own.nx; ++i) {
        const int64_t at = (k * rows + j + HALO) * columns + i + HALO;
        const int64_t cell = (k * LAT + own.y + j) * LON + (own.x + i) % LON;
        const double v = value(field, cell, step, missing);
        if (field == TEMP) ((double *)to)[at] = v;
        if (field == SST || field == WIND || field == TRI) ((float *)to)[at] = (float)v;
        if (field == ICE) ((int32_t *)to)[at] = (int32_t)v;
      }
}

static const double temp_missing = 1e20, nothing = NAN;
static const float wind_missing = NAN, deep_missing = 1e20f;
static const int32_t ice_missing = -9999;

static void fill_levels(int64_t step, float *to) {
  const int64_t begin = own.row * LON, end = (own.row + own.rows) * LON;
  for (int64_t k = own.z; k < own.z + own.nz; ++k)
    for (int64_t i = begin; i < end; ++i) *to++ = (float)value(DEEP, k * LAT * LON + i, step, deep_missing);
}

static void compute(int field, int64_t step, void *to) {
  if (field == HEAT) *(double *)to = value(field, 0, step, 0);
  for (int64_t i = 0; field == RIVER && i < own.points; ++i) ((double *)to)[i] = value(field, own.point[i], step, 0);
  if (field == TEMP) fill_block(field, step, temp_missing, to, LEV);
  if (field == SST || field == TRI) fill_block(field, step, 0, to, 1);
  if (field == ICE) fill_block(field, step, ice_missing, to, 1);
  if (field == WIND) fill_block(field, step, nothing, to, 1);
  if (field == DEEP) fill_levels(step, to);
}

static sv_decomp *grid, *rivers, *volume;

static void decompose(sv_context *io) {
  const int px = ranks % 2 == 0 ? 2 : 1, py = ranks / px;
  own.points = 0;
  const int64_t shape[] = {LAT, LON}, halo[] = {HALO, HALO, HALO, HALO}, length = RIVERS;
  check(sv_block(LAT, py, rank / px, &own.y, &own.ny));
  check(sv_block(LON, px, rank % px, &own.x, &own.nx));
  own.x += 2; /* the last block of a row continues at its start */
  const int64_t start[] = {own.y, own.x}, count[] = {own.ny, own.nx};
  const int periodic[] = {0, 1};
  check(sv_def_decomp(io, 2, shape, start, count, &(sv_decomp_options){.halo = halo, .periodic = periodic}, &grid));
  for (int64_t i = RIVERS - 1; i >= 0; --i)
    if (i % ranks == rank) own.point[own.points++] = i;
  check(sv_def_points(io, 1, &length, own.points, own.point, 0, &rivers));
  check(sv_block(LEV, px, rank % px, &own.z, &own.nz));
  check(sv_block(LAT, py, rank / px, &own.row, &own.rows));
  const int64_t whole[] = {LEV, LAT, LON}, first[] = {own.z, own.row, 0}, part[] = {own.nz, own.rows, LON};
  check(sv_def_decomp(io, 3, whole, first, part, NULL, &volume));
}

static const sv_stream_axis curved[] = {{.name = "j", .length = LAT}, {.name = "i", .length = LON}};
enum { NAV_LON, NAV_LAT, AREA, BASIN, CONSTANTS };

/* Of a cell of the grid. The first cell has no place. */
static double constant(int number, int64_t j, int64_t i) {
  const int64_t cell = j * LON + i;
  if (number == NAV_LON) return cell == 0 ? temp_missing : (double)((60 * i + 5 * j + 10) % 360);
  if (number == NAV_LAT) return cell == 0 ? temp_missing : (double)(-75 + 30 * j + 2 * i);
  return number == AREA ? 1.0 / (double)(1 + cell % 7) : (double)(cell * 7 % 5 % 3);
}

static void declare_constants(sv_streams *streams, const sv_stream_axis *horizontal) {
  static double values[(LAT + 2 * HALO) * (LON + 2 * HALO)];
  const sv_stream_field all[CONSTANTS] = {
      {.name = "nav_lon", .units = "degrees_east", .fill_value = &temp_missing, .axes = curved},
      {.name = "nav_lat", .units = "degrees_north", .fill_value = &temp_missing, .axes = curved},
      {.name = "area", .units = "m2", .standard_name = "cell_area", .axes = horizontal},
      {.name = "basin", .file_type = SV_BYTE, .axes = horizontal}};
  for (int number = 0; number < CONSTANTS; ++number) {
    sv_stream_field field = all[number];
    field.type = SV_DOUBLE;
    field.decomp = grid;
    field.naxes = 2;
    for (int64_t j = 0; j < own.ny; ++j)
      for (int64_t i = 0; i < own.nx; ++i)
        values[(j + HALO) * (own.nx + 2 * HALO) + i + HALO] = constant(number, own.y + j, (own.x + i) % LON);
    check(sv_def_static_field(streams, &field, values));
  }
  const double height = 10;
  check(sv_def_static_field(
      streams, &(sv_stream_field){.name = "height", .type = SV_DOUBLE, .units = "m", .standard_name = "height"},
      &height));
}

static const double lev[LEV] = {5, 15, 25, 35, 45, 55}, lat[LAT] = {-75, -45, -15, 15, 45, 75},
                    lon[LON] = {30, 90, 150, 210, 270, 330},
                    lat_bounds[2 * LAT] = {-90, -60, -60, -30, -30, 0, 0, 30, 30, 60, 60, 90};

static const sv_stream_axis axes[] = {
    {.name = "lev", .length = LEV, .values = lev, .units = "m", .axis = "Z", .positive = "down"},
    {.name = "lat",
     .length = LAT,
     .values = lat,
     .bounds = lat_bounds,
     .units = "degrees_north",
     .axis = "Y",
     .standard_name = "latitude"},
    {.name = "lon", .length = LON, .values = lon, .units = "degrees_east", .axis = "X", .standard_name = "longitude"}};

static void declare(sv_streams *streams, int fields[FIELDS]) {
  static const sv_stream_axis river = {.name = "river", .length = RIVERS};
  const sv_stream_field all[FIELDS] = {
      {.name = "temp",
       .decomp = grid,
       .type = SV_DOUBLE,
       .file_type = SV_FLOAT,
       .units = "K",
       .standard_name = "sea_water_temperature",
       .long_name = "temperature",
       .fill_value = &temp_missing,
       .naxes = 3,
       .axes = axes,
       .cell_measures = "area: area",
       .ancillary_variables = "basin"},
      {.name = "sst", .decomp = grid, .type = SV_FLOAT, .units = "K", .naxes = 2, .axes = axes + 1},
      {.name = "ice",
       .decomp = grid,
       .type = SV_INT,
       .units = "1",
       .fill_value = &ice_missing,
       .naxes = 2,
       .axes = axes + 1},
      {.name = "heat", .type = SV_DOUBLE, .units = "W"},
      {.name = "runoff", .decomp = rivers, .type = SV_DOUBLE, .units = "m3 s-1", .naxes = 1, .axes = &river},
      {.name = "wind",
       .decomp = grid,
       .type = SV_FLOAT,
       .file_type = SV_DOUBLE,
       .units = "m s-1",
       .fill_value = &wind_missing,
       .naxes = 2,
       .axes = axes + 1,
       .coordinates = "height"},
      {.name = "tri",
       .decomp = grid,
       .type = SV_FLOAT,
       .units = "1",
       .naxes = 2,
       .axes = curved,
       .coordinates = "nav_lon nav_lat"},
      {.name = "deep",
       .decomp = volume,
       .type = SV_FLOAT,
       .units = "1",
       .fill_value = &deep_missing,
       .naxes = 3,
       .axes = axes}};
  declare_constants(streams, axes + 1);
  for (int field = 0; field < FIELDS; ++field) check(sv_def_stream_field(streams, &all[field], &fields[field]));
}

static void kill_at(int event, int wanted) {
  if (event == wanted) kill(getpid(), SIGKILL);
}

static void kill_after(long microseconds) {
  struct sigevent how = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
  const struct itimerspec when = {.it_value = {microseconds / 1000000, microseconds % 1000000 * 1000 + 1}};
  timer_t timer;
  if (timer_create(CLOCK_MONOTONIC, &how, &timer) != 0 || timer_settime(timer, 0, &when, NULL) != 0)
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void save(sv_streams *streams, const int date[6], long long step) {
  check(sv_save_streams(streams, date));
  if (rank != 0) return;
  char text[32];
  const int length = snprintf(text, sizeof text, "%lld\n", step);
  const int saved = open("saved", O_WRONLY | O_APPEND | O_CREAT, 0644); /* calls that tests/crash records */
  if (saved < 0 || write(saved, text, (size_t)length) != length || close(saved) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
}

/* The stream of the model, if the configuration has one. */
static int define_stream(sv_streams *streams, const char *config) {
  char path[256], text[4096];
  snprintf(path, sizeof path, "%s.model", config);
  FILE *const file = fopen(path, "r");
  if (file == NULL) return SV_OK;
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  char *const keys = strchr(text, '\n');
  if (keys == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  *keys = '\0';
  return sv_def_stream(streams, text, keys + 1);
}

static int step_of(sv_streams *streams, const int fields[FIELDS], const int date[6], int64_t step, int event) {
  static double values[LEV * (LAT + 2 * HALO) * (LON + 2 * HALO)];
  int wanted, status;
  static const int order[FIELDS] = {SST,  ICE,  HEAT, RIVER,
                                    WIND, TEMP, TRI,  DEEP}; /* conditions on ice are for those behind it */
  for (int i = 0; i < FIELDS; ++i) {
    const int field = order[i];
    check(sv_inq_field_wanted(streams, fields[field], date, &wanted));
    if (wanted != 0 && !(field == HEAT && step % 2 != 0 && getenv("SV_TEST_SPARSE") != NULL)) {
      compute(field, step, values);
      if ((status = sv_send_field(streams, fields[field], date, values)) != SV_OK) return status;
    }
    if (field == ICE) kill_at(event, KILL_WITHIN);
  }
  return SV_OK;
}

static int steps_of(sv_context *io, sv_streams *streams, FILE *dates, sv_stream_start start) {
  int fields[FIELDS], event, status = SV_OK;
  long long step;
  int *const date = start.date;
  declare(streams, fields);
  int saves = 0;
  for (int first = 1; status == SV_OK && fscanf(dates, "%d %d %d %d %d %d %lld %d", &date[0], &date[1], &date[2],
                                                &date[3], &date[4], &date[5], &step, &event) == 8;
       first = 0) {
    if (first) {
      status = sv_begin_streams(streams, &start);
      continue;
    }
    kill_at(event, KILL_BEFORE);
    if (event >= KILL_LATER) kill_after(event - KILL_LATER);
    saves = saves || event >= KILL_LATER;
    status = step_of(streams, fields, date, step, event);
    kill_at(event, KILL_BEFORE_END);
    if (status == SV_OK) check(sv_end_step(io));
    if (status == SV_OK && (event == SAVE || saves)) save(streams, date, step);
    kill_at(event, KILL_AFTER);
  }
  return status;
}

/* To the output, where lines of ranks may mix, and to a file of each rank. */
static void report(const char *config, int status) {
  char name[32];
  snprintf(name, sizeof name, "messages.%d", rank);
  FILE *const messages = fopen(name, "a");
  if (messages == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  fprintf(messages, "%s: status %d: %s\n", config, status, sv_message());
  fclose(messages);
  printf("%s: status %d: %s\n", config, status, sv_message());
}

static void run(sv_context *io, const char *config, sv_stream_start start) {
  sv_streams *streams;
  FILE *const dates = fopen("dates", "r");
  if (dates == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  int status = sv_open_streams(io, config, &streams);
  if (status == SV_OK) status = define_stream(streams, config);
  if (status == SV_OK) status = steps_of(io, streams, dates, start);
  if (status != SV_OK) report(config, status);
  const int closed = streams == NULL ? SV_OK : sv_close_streams(streams);
  if (status == SV_OK && closed != SV_OK) report(config, closed);
  fclose(dates);
}

/* All configurations of a line of RUNS, in one context. */
static void run_line(char *line) {
  sv_context *io;
  MPI_Comm comm;
  int is_model = 0, n_options = 0, n_configs = 0;
  const char *options[MOST_WORDS], *configs[MOST_WORDS];
  const char *const folder = strtok(line, " "), *const calendar = strtok(NULL, " "), *const step = strtok(NULL, " ");
  const char *const continues = strtok(NULL, " ");
  if (continues == NULL || chdir(folder) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  for (const char *word; (word = strtok(NULL, " ")) != NULL && n_configs + n_options < MOST_WORDS;)
    *(strchr(word, '=') == NULL ? &configs[n_configs++] : &options[n_options++]) = word;
  check(sv_init(MPI_COMM_WORLD, NULL, n_options, options, &io));
  check(sv_is_model(io, &is_model));
  if (is_model) {
    check(sv_model_comm(io, &comm));
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    decompose(io);
    const sv_stream_start start = {.calendar = calendar, .step_seconds = atoll(step), .continues = atoi(continues)};
    for (int i = 0; i < n_configs; ++i) run(io, configs[i], start);
  }
  check(sv_finalize(io));
}

int main(int argc, char **argv) {
  int world_rank, threads;
  char line[4096];

  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads); /* as async: threads needs */
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  feenableexcept(FE_INVALID); /* as a model may; NaN is one of its missing values */
  FILE *const runs = argc == 2 ? fopen(argv[1], "r") : NULL;
  if (runs == NULL) return 1;
  for (int number = 0; fgets(line, sizeof line, runs) != NULL; ++number) {
    if (world_rank == 0) printf("run %d\n", number);
    fflush(stdout);
    line[strcspn(line, "\n")] = '\0';
    run_line(line);
  }
  fclose(runs);
  MPI_Finalize();
  return 0;
}
