/* Programs with the shapes of the field's PnetCDF programs, which know nothing of Sverdrup. compare.py runs
 * each with sv-run and without.
 *
 *   shapes SHAPE FILE        prints the seconds from before the first file is made to after the last one is closed
 *
 *   s3d          4 fields of a cube in blocks, of which two have components, with a collective put each (S3D-IO)
 *   bt           a vector field in diagonal blocks, as lists of requests of each record (BTIO)
 *   flash        24 variables of blocks of cells that belong to one rank each (FLASH-IO)
 *   cells_f      lists of many short runs of cells, several variables of several levels (E3SM-IO, F)
 *   cells_g      the same with few levels and single cells (E3SM-IO, G)
 *   cells_i      the same with many records (E3SM-IO, I)
 *   weather      a few small fields each step, one of which opens the file anew (miniWeather)
 *   aggregation  variables divided in four ways, one into single columns; written and read (PnetCDF's benchmark)
 *   own          100 small files of each rank's own, on MPI_COMM_SELF */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUST(call)                                                                         \
  do {                                                                                     \
    const int code = (call);                                                               \
    if (code != NC_NOERR) {                                                                \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, ncmpi_strerror(code)); \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                        \
    }                                                                                      \
  } while (0)

enum { most = 64 };
static int rank, ranks, px, py; /* ranks in px columns and py rows */

static double *values(MPI_Offset count) {
  double *all = malloc((size_t)(count > 0 ? count : 1) * sizeof *all);
  if (all == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  for (MPI_Offset i = 0; i < count; ++i) all[i] = (double)(rank * 1000 + i % 997);
  return all;
}

static int made(const char *path) {
  int file;
  MUST(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &file));
  return file;
}

static void s3d(const char *path) {
  enum { n = 64, steps = 3 };
  const MPI_Offset parts[4] = {1, 11, 3, 1}; /* of components: pressure and temperature have none */
  double *const data = values(11 * n * n * n / ranks + 11 * n * n);
  for (int step = 0; step < steps; ++step) {
    int dims[4], v[4];
    char name[512];
    snprintf(name, sizeof name, "%s.%d", path, step);
    const int file = made(name);
    for (int d = 0; d < 3; ++d) MUST(ncmpi_def_dim(file, (char[2]){(char)('x' + d), 0}, n, &dims[d + 1]));
    for (int i = 0; i < 4; ++i) {
      char part[16], field[16];
      snprintf(part, sizeof part, "parts%d", i);
      snprintf(field, sizeof field, "field%d", i);
      if (parts[i] > 1) MUST(ncmpi_def_dim(file, part, parts[i], &dims[0]));
      MUST(ncmpi_def_var(file, field, NC_DOUBLE, parts[i] > 1 ? 4 : 3, parts[i] > 1 ? dims : dims + 1, &v[i]));
    }
    MUST(ncmpi_enddef(file));
    const MPI_Offset y0 = n * (rank / px) / py, y1 = n * (rank / px + 1) / py, x0 = n * (rank % px) / px;
    const MPI_Offset x1 = n * (rank % px + 1) / px;
    for (int i = 0; i < 4; ++i) {
      const MPI_Offset start[4] = {0, 0, y0, x0}, count[4] = {parts[i], n, y1 - y0, x1 - x0};
      const int skip = parts[i] > 1 ? 0 : 1;
      MUST(ncmpi_put_vara_double_all(file, v[i], start + skip, count + skip, data));
    }
    MUST(ncmpi_close(file));
  }
  free(data);
}

/* Blocks on a diagonal, as many as ranks, each a request of its own. */
static void bt(const char *path) {
  enum { n = 48, steps = 5 };
  int dims[5], v;
  const int file = made(path);
  MUST(ncmpi_def_dim(file, "time", NC_UNLIMITED, &dims[0]));
  for (int d = 0; d < 3; ++d) MUST(ncmpi_def_dim(file, (char[2]){(char)('x' + d), 0}, n, &dims[d + 1]));
  MUST(ncmpi_def_dim(file, "five", 5, &dims[4]));
  MUST(ncmpi_def_var(file, "u", NC_DOUBLE, 5, dims, &v));
  MUST(ncmpi_enddef(file));
  double *const data = values((MPI_Offset)5 * n * n * n);
  int requests[most], statuses[most];
  for (int step = 0; step < steps; ++step) {
    double *from = data;
    for (int b = 0; b < ranks; ++b) {
      const int k = b, j = (rank + b) % ranks;
      const MPI_Offset start[5] = {step, n * k / ranks, n * j / ranks, 0, 0};
      const MPI_Offset count[5] = {1, n * (k + 1) / ranks - start[1], n * (j + 1) / ranks - start[2], n, 5};
      MUST(ncmpi_iput_vara_double(file, v, start, count, from, &requests[b]));
      from += count[1] * count[2] * n * 5;
    }
    MUST(ncmpi_wait_all(file, ranks, requests, statuses));
  }
  MUST(ncmpi_close(file));
  free(data);
}

static void flash(const char *path) {
  enum { variables = 24, blocks = 20, n = 8 };
  int dims[4], v[variables];
  const int file = made(path);
  MUST(ncmpi_def_dim(file, "blocks", (MPI_Offset)blocks * ranks, &dims[0]));
  for (int d = 0; d < 3; ++d) MUST(ncmpi_def_dim(file, (char[2]){(char)('x' + d), 0}, n, &dims[d + 1]));
  for (int i = 0; i < variables; ++i) {
    char name[16];
    snprintf(name, sizeof name, "unk%02d", i);
    MUST(ncmpi_def_var(file, name, NC_DOUBLE, 4, dims, &v[i]));
  }
  MUST(ncmpi_enddef(file));
  double *const data = values((MPI_Offset)blocks * n * n * n);
  for (int i = 0; i < variables; ++i)
    MUST(ncmpi_put_vara_double_all(file, v[i], (MPI_Offset[]){(MPI_Offset)blocks * rank, 0, 0, 0},
                                   (MPI_Offset[]){blocks, n, n, n}, data));
  MUST(ncmpi_close(file));
  free(data);
}

/* Cells are dealt in short runs to the ranks; each variable is one request of many runs in each level. */
static void cells(const char *path, int variables, int levels, int records, int run) {
  enum { most_cells = 20000 };
  int dims[3], v[most];
  const int mine = most_cells / ranks / run;
  const int file = made(path);
  MUST(ncmpi_def_dim(file, "time", NC_UNLIMITED, &dims[0]));
  MUST(ncmpi_def_dim(file, "level", levels, &dims[1]));
  MUST(ncmpi_def_dim(file, "cell", most_cells, &dims[2]));
  for (int i = 0; i < variables; ++i) {
    char name[16];
    snprintf(name, sizeof name, "v%02d", i);
    MUST(ncmpi_def_var(file, name, NC_DOUBLE, 3, dims, &v[i]));
  }
  MUST(ncmpi_enddef(file));
  const int n = mine * levels;
  MPI_Offset *const all = malloc((size_t)n * 6 * sizeof *all), **const starts = malloc((size_t)n * 2 * sizeof *starts);
  if (all == NULL || starts == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  double *const data = values((MPI_Offset)n * run);
  int requests[most], statuses[most];
  for (int record = 0; record < records; ++record) {
    for (int i = 0; i < n; ++i) {
      MPI_Offset *const one = all + 6 * i;
      const MPI_Offset set[6] = {record, i / mine, (MPI_Offset)(i % mine * ranks + rank) * run, 1, 1, run};
      memcpy(one, set, sizeof set);
      starts[i] = one;
      starts[n + i] = one + 3;
    }
    for (int i = 0; i < variables; ++i)
      MUST(ncmpi_iput_varn_double(file, v[i], n, starts, starts + n, data, &requests[i]));
    MUST(ncmpi_wait_all(file, variables, requests, statuses));
  }
  MUST(ncmpi_close(file));
  free(data);
  free(all);
  free(starts);
}

static void weather(const char *path) {
  enum { nx = 200, nz = 100, steps = 10, variables = 4 };
  int dims[3], v[variables], time;
  const MPI_Offset x0 = nx * rank / ranks, nx_own = nx * (rank + 1) / ranks - x0;
  double *const data = values(nx_own * nz);
  for (int step = 0; step < steps; ++step) {
    int file;
    if (step == 0) {
      file = made(path);
      MUST(ncmpi_def_dim(file, "t", NC_UNLIMITED, &dims[0]));
      MUST(ncmpi_def_dim(file, "z", nz, &dims[1]));
      MUST(ncmpi_def_dim(file, "x", nx, &dims[2]));
      MUST(ncmpi_def_var(file, "t", NC_DOUBLE, 1, dims, &time));
      for (int i = 0; i < variables; ++i)
        MUST(ncmpi_def_var(file, (char[2]){(char)('a' + i), 0}, NC_DOUBLE, 3, dims, &v[i]));
      MUST(ncmpi_enddef(file));
    } else {
      MUST(ncmpi_open(MPI_COMM_WORLD, path, NC_WRITE, MPI_INFO_NULL, &file));
    }
    for (int i = 0; i < variables; ++i)
      MUST(ncmpi_put_vara_double_all(file, v[i], (MPI_Offset[]){step, 0, x0}, (MPI_Offset[]){1, nz, nx_own}, data));
    MUST(ncmpi_begin_indep_data(file));
    if (rank == 0) MUST(ncmpi_put_var1_double(file, time, (MPI_Offset[]){step}, &(double){step * 0.5}));
    MUST(ncmpi_end_indep_data(file));
    MUST(ncmpi_close(file));
  }
  free(data);
}

enum { aggregated = 5, side = 300, most_requests = 3 * aggregated + side };

/* The four ways in turn in which the benchmark divides its variables, each with a type of its own. */
static void aggregate(int file, const int *v, char *data, int is_put) {
  const MPI_Datatype types[] = {MPI_INT, MPI_FLOAT, MPI_SHORT, MPI_DOUBLE};
  int requests[most_requests], statuses[most_requests], n = 0;
  for (int i = 0; i < aggregated; ++i) {
    MPI_Offset start[2] = {0, 0}, count[2] = {side, side};
    char *at = data + (size_t)i * side * side * sizeof(double);
    int bytes;
    MPI_Type_size(types[i % 4], &bytes);
    const int parts = i % 4 == 1 ? side : i % 4 == 2 ? 2 : 1;
    for (int part = 0; part < parts; ++part) {
      if (i % 4 == 0) {
        start[0] = (MPI_Offset)side * (rank / px), start[1] = (MPI_Offset)side * (rank % px);
      } else if (i % 4 == 1) { /* columns, dealt out like cards */
        start[1] = rank + (MPI_Offset)part * ranks, count[1] = 1;
      } else if (i % 4 == 2) { /* rows, in two halves */
        start[0] = (MPI_Offset)side * rank, start[1] = part * (side / 2), count[1] = side / 2;
      } else {
        start[1] = (MPI_Offset)side * rank;
      }
      const MPI_Offset cells = count[0] * count[1];
      if (is_put)
        MUST(ncmpi_iput_vara(file, v[i], start, count, at, cells, types[i % 4], &requests[n++]));
      else
        MUST(ncmpi_iget_vara(file, v[i], start, count, at, cells, types[i % 4], &requests[n++]));
      at += cells * bytes;
    }
  }
  MUST(ncmpi_wait_all(file, n, requests, statuses));
  MUST(ncmpi_close(file));
}

static void aggregation(const char *path) {
  const nc_type types[] = {NC_INT, NC_FLOAT, NC_SHORT, NC_DOUBLE};
  int dims[6], v[aggregated];
  const char *const names[] = {"block_y", "block_x", "star_y", "cyclic_x", "rows_y", "star_x"};
  const MPI_Offset lengths[] = {side * py, side * px, side, side * ranks, side * ranks, side};
  int file = made(path);
  for (int d = 0; d < 6; ++d) MUST(ncmpi_def_dim(file, names[d], lengths[d], &dims[d]));
  for (int i = 0; i < aggregated; ++i) {
    char name[16];
    snprintf(name, sizeof name, "v%02d", i);
    MUST(ncmpi_def_var(file, name, types[i % 4], 2, dims + (i % 4 == 3 ? 2 : 2 * (i % 4)), &v[i]));
  }
  MUST(ncmpi_enddef(file));
  double *const data = values((MPI_Offset)aggregated * side * side);
  aggregate(file, v, (char *)data, 1);
  MUST(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &file));
  aggregate(file, v, (char *)data, 0);
  free(data);
}

static void own(const char *path) {
  enum { files = 100, n = 1000 };
  double *const data = values(n);
  for (int i = 0; i < files; ++i) {
    char name[512];
    int file, dim, v;
    snprintf(name, sizeof name, "%s.%d.%d", path, rank, i);
    MUST(ncmpi_create(MPI_COMM_SELF, name, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &file));
    MUST(ncmpi_def_dim(file, "x", n, &dim));
    MUST(ncmpi_def_var(file, "v", NC_DOUBLE, 1, &dim, &v));
    MUST(ncmpi_enddef(file));
    MUST(ncmpi_put_var_double_all(file, v, data));
    MUST(ncmpi_close(file));
  }
  free(data);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 3 || ranks > most) MPI_Abort(MPI_COMM_WORLD, 1);
  int grid[2] = {0, 0};
  MPI_Dims_create(ranks, 2, grid);
  py = grid[0], px = grid[1];
  const char *const shape = argv[1], *const path = argv[2];
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  if (strcmp(shape, "s3d") == 0)
    s3d(path);
  else if (strcmp(shape, "bt") == 0)
    bt(path);
  else if (strcmp(shape, "flash") == 0)
    flash(path);
  else if (strcmp(shape, "cells_f") == 0)
    cells(path, 30, 4, 2, 4);
  else if (strcmp(shape, "cells_g") == 0)
    cells(path, 11, 8, 1, 1);
  else if (strcmp(shape, "cells_i") == 0)
    cells(path, 20, 1, 6, 2);
  else if (strcmp(shape, "weather") == 0)
    weather(path);
  else if (strcmp(shape, "aggregation") == 0)
    aggregation(path);
  else if (strcmp(shape, "own") == 0)
    own(path);
  else
    MPI_Abort(MPI_COMM_WORLD, 1);
  double seconds = MPI_Wtime() - begin;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) printf("%.6f\n", seconds);
  MPI_Finalize();
  return 0;
}
