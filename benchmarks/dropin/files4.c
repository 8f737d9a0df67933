/* Measures serial netCDF-4 files in a program of one process: prints a line for each kind, its name and microseconds.
 * calls.py --program dropin-files4 runs it with netCDF-C and by sv-run.
 *
 *   dropin-files4 DIRECTORY [MEBIBYTES [KIND...]]     MEBIBYTES: of a record of the large files, 5; they have 20
 *                                                     KIND: tiny, small, short, tiles, layers, alone, append, read,
 *                                                     open; all. append and read need layers and small */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "timing.h"
// It needs timing.h.
#include "files4.h"

enum { small_variables = 500, small_cells = 100, records = 20, tiny_files = 200 };
static float *values;
static size_t cells;

static void put_attributes(int file, int v) {
  for (int a = 0; a < 5; ++a) must(nc_put_att_text(file, v, numbered("attribute", a), 12, "twelve bytes"));
}

/* A small file, which is redefined where `again` is 1. */
static void make_tiny(int again) {
  int file, dims[2], v;
  must(nc_create("tiny.nc", NC_NETCDF4, &file));
  must(nc_def_dim(file, "time", NC_UNLIMITED, &dims[0]));
  must(nc_def_dim(file, "x", small_cells, &dims[1]));
  must(nc_def_var(file, "v", NC_FLOAT, 2, dims, &v));
  put_attributes(file, v);
  must(nc_enddef(file));
  must(nc_put_vara_float(file, v, (size_t[]){0, 0}, (size_t[]){1, small_cells}, values));
  if (again) {
    must(nc_redef(file));
    must(nc_def_var(file, "w", NC_FLOAT, 2, dims, &v));
    must(nc_enddef(file));
    must(nc_put_vara_float(file, v, (size_t[]){0, 0}, (size_t[]){1, small_cells}, values));
  }
  must(nc_close(file));
}

static void tiny(const char *name, int again) {
  begin();
  for (int n = 0; n < tiny_files; ++n) make_tiny(again);
  end(name, tiny_files);
}

/* Variables with 5 attributes each, and records of all of them; a redefinition after each fourth record. */
static void small(void) {
  int file, dims[2], v;
  begin();
  must(nc_create("small.nc", NC_NETCDF4, &file));
  must(nc_def_dim(file, "time", NC_UNLIMITED, &dims[0]));
  must(nc_def_dim(file, "x", small_cells, &dims[1]));
  for (int n = 0; n < small_variables; ++n) {
    must(nc_def_var(file, numbered("v", n), NC_FLOAT, 2, dims, &v));
    put_attributes(file, v);
  }
  must(nc_enddef(file));
  for (size_t record = 0; record < records; ++record) {
    for (v = 0; v < small_variables; ++v)
      must(nc_put_vara_float(file, v, (size_t[]){record, 0}, (size_t[]){1, small_cells}, values));
    if (record % 4 != 3) continue;
    must(nc_redef(file));
    must(nc_put_att_int(file, NC_GLOBAL, "records", NC_INT, 1, (int[]){(int)record}));
    must(nc_def_var(file, numbered("late", (int)record), NC_FLOAT, 2, dims, &v));
    must(nc_enddef(file));
  }
  must(nc_close(file));
  end("500 variables, 20 records, 5 redefinitions", 1);
}

/* Compressed records of one large variable, with `computing` nanoseconds between. `tiled`: rows of chunks are short. */
static void large(const char *path, const char *name, int tiled, long computing) {
  const size_t nz = 8, nx = 256, ny = cells / nz / nx;
  int file, dims[4], v;
  double waited = 0, copied = 0;
  float *const copy = malloc(cells * sizeof *copy);
  memset(copy, 0, cells * sizeof *copy);
  begin();
  must(nc_create(path, NC_NETCDF4, &file));
  must(nc_def_dim(file, "time", NC_UNLIMITED, &dims[0]));
  must(nc_def_dim(file, "z", nz, &dims[1]));
  must(nc_def_dim(file, "y", ny, &dims[2]));
  must(nc_def_dim(file, "x", nx, &dims[3]));
  must(nc_def_var(file, "v", NC_FLOAT, 4, dims, &v));
  must(nc_def_var_chunking(file, v, NC_CHUNKED, tiled ? (size_t[]){1, nz, ny / 4, nx / 2} : (size_t[]){1, 1, ny, nx}));
  must(nc_def_var_deflate(file, v, 1, 1, 1));
  must(nc_enddef(file));
  for (size_t record = 0; record < records; ++record) {
    double before = seconds();
    must(nc_put_vara_float(file, v, (size_t[]){record, 0, 0, 0}, (size_t[]){1, nz, ny, nx}, values));
    waited += seconds() - before;
    nanosleep(&(struct timespec){0, computing}, NULL);
    before = seconds();
    memcpy(copy, values, cells * sizeof *copy);
    copied += seconds() - before;
  }
  must(nc_close(file));
  end(name, records);
  printf("%s: a put\t%.3f\n%s: a copy of its values\t%.3f\n", name, 1e6 * waited / records, name,
         1e6 * copied / records);
  free(copy);
}

static const size_t *record_count(int file) {
  static size_t count[4] = {1};
  for (int d = 1; d < 4; ++d) must(nc_inq_dimlen(file, d, &count[d]));
  return count;
}

static void append(void) {
  int file, v;
  begin();
  must(nc_open("small.nc", NC_WRITE, &file));
  for (size_t record = records; record < 2 * records; ++record)
    for (v = 0; v < small_variables; ++v)
      must(nc_put_vara_float(file, v, (size_t[]){record, 0}, (size_t[]){1, small_cells}, values));
  must(nc_close(file));
  end("20 records more of 500 variables, by nc_open", 1);
  begin();
  must(nc_open("large.nc", NC_WRITE, &file));
  for (size_t record = records; record < records + 4; ++record)
    must(nc_put_vara_float(file, 0, (size_t[]){record, 0, 0, 0}, record_count(file), values));
  must(nc_close(file));
  end("4 records more of the large file", 1);
}

/* Files of one record, to which one is appended by nc_open. */
static void append_tiny(const char *name, int syncs) {
  int file;
  make_tiny(0);
  begin();
  for (size_t n = 1; n <= tiny_files; ++n) {
    must(nc_open("tiny.nc", NC_WRITE, &file));
    must(nc_put_vara_float(file, 0, (size_t[]){n, 0}, (size_t[]){1, small_cells}, values));
    if (syncs) must(nc_sync(file));
    must(nc_close(file));
  }
  end(name, tiny_files);
}

/* 40 MB of short records. */
static void short_records(void) {
  enum { variables = 10, count = 10000 };
  int file, dims[2], v[variables];
  begin();
  must(nc_create("short.nc", NC_NETCDF4, &file));
  must(nc_def_dim(file, "time", NC_UNLIMITED, &dims[0]));
  must(nc_def_dim(file, "x", small_cells, &dims[1]));
  for (int n = 0; n < variables; ++n) must(nc_def_var(file, numbered("v", n), NC_FLOAT, 2, dims, &v[n]));
  must(nc_enddef(file));
  for (size_t record = 0; record < count; ++record)
    for (int n = 0; n < variables; ++n)
      must(nc_put_vara_float(file, v[n], (size_t[]){record, 0}, (size_t[]){1, small_cells}, values));
  must(nc_close(file));
  end("a put of 400 bytes, of 40 MB", variables * count);
}

static void open_many(void) {
  int file;
  make_many();
  begin();
  for (int n = 0; n < 10; ++n) {
    must(nc_open("many.nc", NC_NOWRITE, &file));
    check_one_of_many(file);
  }
  end("open 1000 variables, one value", 10);
}

static void read_large(void) {
  int file;
  begin();
  must(nc_open("large.nc", NC_NOWRITE, &file));
  for (size_t record = 0; record < records; ++record)
    must(nc_get_vara_float(file, 0, (size_t[]){record, 0, 0, 0}, record_count(file), values));
  must(nc_close(file));
  end("read a compressed record", records);
}

int main(int argc, char **argv) {
  if (argc < 2 || chdir(argv[1]) != 0) return 2;
  cells = (size_t)(argc > 2 ? atoi(argv[2]) : 5) << 18;
  values = smooth_values(cells);
  const long pause = 100000000;
  if (is_wanted(argc, argv, "tiny")) {
    tiny("tiny file", 0);
    tiny("tiny file, redefined", 1);
    append_tiny("a record more of a tiny file", 0);
    append_tiny("a record more of a tiny file, nc_sync", 1);
  }
  if (is_wanted(argc, argv, "small")) small();
  if (is_wanted(argc, argv, "short")) short_records();
  if (is_wanted(argc, argv, "alone")) large("alone.nc", "compressed layers, without computing", 0, 0);
  if (is_wanted(argc, argv, "tiles")) large("tiles.nc", "compressed tiles, with 0.1 s of computing", 1, pause);
  if (is_wanted(argc, argv, "layers")) large("large.nc", "compressed layers, with 0.1 s of computing", 0, pause);
  if (is_wanted(argc, argv, "append")) append();
  if (is_wanted(argc, argv, "open")) open_many();
  if (is_wanted(argc, argv, "read")) read_large();
  return 0;
}
