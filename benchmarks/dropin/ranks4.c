/* Measures netCDF-4 files that all ranks write or read: rank 0 prints a line for each kind, its name and microseconds.
 * calls.py --program dropin-ranks4 --ranks N runs it with netCDF-C and by sv-run.
 *
 *   dropin-ranks4 DIRECTORY [MEBIBYTES [KIND...]]     MEBIBYTES: of a record of the file that is read, 32; it has 4
 *                                                     KIND: write, read, open; all */
#include <mpi.h>
#include <stdint.h>
#include <unistd.h>

#include "timing.h"
// They need netcdf.h, and that.
#include <netcdf_filter.h>
#include <netcdf_par.h>

#include "files4.h"
#ifdef SV_HAVE_ZSTD
#include <zstd.h>
#endif

enum { records = 4, row = 1024, times = 3, written_variables = 10, steps = 3, levels = 8 };
enum { zstandard = 32015, zstandard_level = 1, kept_bits = 12 };
static int rank, ranks;
static size_t rows;

static void begin_together(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  begin();
}

/* Prints the longest elapsed time of a rank, or the sum of the processor times of all. */
static void end_together(const char *name, int calls) {
  const double taken = seconds() - begun;
  double all = 0;
  MPI_Reduce(&taken, &all, 1, MPI_DOUBLE, uses_processor_time() ? MPI_SUM : MPI_MAX, 0, MPI_COMM_WORLD);
  begun = seconds() - all;
  if (rank == 0) end(name, calls);
}

enum storage { plain, deflated, quantized, independent };

/* A program may have no plug-in for a filter. */
static int is_available(unsigned filter) {
  int file, all = 0;
  must(nc_create("filters.nc", NC_NETCDF4 | NC_DISKLESS, &file));
  int own = nc_inq_filter_avail(file, filter) == NC_NOERR;
  must(nc_close(file));
  MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return all;
}

/* Records that end in the file have an unlimited dimension, which ranks lengthen together only. */
static int written_file(enum storage storage, size_t ny, int *v) {
  int file, dims[4];
  must(nc_create_par("written.nc", NC_NETCDF4, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
  must(nc_def_dim(file, "time", storage == independent ? (size_t)steps : NC_UNLIMITED, &dims[0]));
  must(nc_def_dim(file, "z", levels, &dims[1]));
  must(nc_def_dim(file, "y", ny * (size_t)ranks, &dims[2]));
  must(nc_def_dim(file, "x", row, &dims[3]));
  for (int n = 0; n < written_variables; ++n) {
    must(nc_def_var(file, numbered("v", n), NC_FLOAT, 4, dims, &v[n]));
    must(nc_def_var_chunking(file, v[n], NC_CHUNKED, (size_t[]){1, levels, ny, row}));
    if (storage == deflated || storage == quantized) must(nc_def_var_deflate(file, v[n], 1, storage == deflated, 1));
    if (storage == quantized) must(nc_def_var_quantize(file, v[n], NC_QUANTIZE_BITROUND, kept_bits));
    if (storage == quantized) must(nc_def_var_filter(file, v[n], zstandard, 1, (unsigned[]){zstandard_level}));
    if (storage != independent) must(nc_var_par_access(file, v[n], NC_COLLECTIVE));
  }
  must(nc_enddef(file));
  return file;
}

/* Each rank has rows of all levels, as in the UFS: MEBIBYTES are those of a step of all variables. */
static size_t rows_of_rank(void) {
  const size_t all = rows / (levels * written_variables);
  return (all + (size_t)ranks - 1) / (size_t)ranks;
}

static void write_blocks(const char *name, enum storage storage) {
  const size_t ny = rows_of_rank();
  float *const values = smooth_values(levels * ny * row);
  int v[written_variables];
  begin_together();
  const int file = written_file(storage, ny, v);
  for (size_t step = 0; step < steps; ++step)
    for (int n = 0; n < written_variables; ++n)
      must(nc_put_vara_float(file, v[n], (size_t[]){step, 0, ny * (size_t)rank, 0}, (size_t[]){1, levels, ny, row},
                             values));
  must(nc_close(file));
  end_together(name, steps);
  free(values);
}

/* Compresses the same chunks by the codec alone, without netCDF: no writer of such files is faster. */
static void compress_blocks(const char *name) {
#ifdef SV_HAVE_ZSTD
  const size_t cells = levels * rows_of_rank() * row, bytes = cells * sizeof(float), room = ZSTD_compressBound(bytes);
  float *const values = smooth_values(cells);
  unsigned char *const shuffled = malloc(bytes);
  void *const made = malloc(room);
  ZSTD_CCtx *const codec = ZSTD_createCCtx();
  for (size_t i = 0; i < cells; ++i) {
    const uint32_t unit = UINT32_C(1) << (23 - kept_bits);
    uint32_t word;
    memcpy(&word, &values[i], sizeof word);
    word = (word + unit / 2) & ~(unit - 1);
    for (size_t byte = 0; byte < sizeof word; ++byte) shuffled[byte * cells + i] = (word >> 8 * byte) & 0xff;
  }
  begin_together();
  for (int n = 0; n < steps * written_variables; ++n)
    if (ZSTD_isError(ZSTD_compressCCtx(codec, made, room, shuffled, bytes, zstandard_level))) exit(1);
  end_together(name, steps);
  ZSTD_freeCCtx(codec);
  free(made);
  free(shuffled);
  free(values);
#else
  (void)name;
#endif
}

static void make_large(void) {
  float *const values = smooth_values(rows * row);
  int file, dims[3], v;
  must(nc_create("large.nc", NC_NETCDF4, &file));
  must(nc_def_dim(file, "time", NC_UNLIMITED, &dims[0]));
  must(nc_def_dim(file, "y", rows, &dims[1]));
  must(nc_def_dim(file, "x", row, &dims[2]));
  must(nc_def_var(file, "v", NC_FLOAT, 3, dims, &v));
  must(nc_def_var_chunking(file, v, NC_CHUNKED, (size_t[]){1, rows / 16, row / 2}));
  must(nc_def_var_deflate(file, v, 1, 1, 1));
  for (size_t record = 0; record < records; ++record)
    must(nc_put_vara_float(file, v, (size_t[]){record, 0, 0}, (size_t[]){1, rows, row}, values));
  must(nc_close(file));
  free(values);
}

/* The ranks are px by py, and each reads a block of each record. */
static void read_blocks(const char *name, size_t px, size_t py, int access) {
  const size_t nx = row / px, ny = rows / py, at = (size_t)rank;
  float *const values = malloc(nx * ny * sizeof *values);
  int file, v;
  begin_together();
  must(nc_open_par("large.nc", NC_NOWRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
  must(nc_inq_varid(file, "v", &v));
  if (access == NC_COLLECTIVE) must(nc_var_par_access(file, v, access)); /* otherwise each rank reads by itself */
  for (size_t record = 0; record < records; ++record)
    must(nc_get_vara_float(file, v, (size_t[]){record, at / px * ny, at % px * nx}, (size_t[]){1, ny, nx}, values));
  must(nc_close(file));
  end_together(name, records);
  free(values);
}

static void read_one_of_many(void) {
  int file;
  begin_together();
  for (int n = 0; n < times; ++n) {
    must(nc_open_par("many.nc", NC_NOWRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
    check_one_of_many(file);
  }
  end_together("open 1000 variables, one value", times);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 2 || chdir(argv[1]) != 0) MPI_Abort(MPI_COMM_WORLD, 2);
  rows = (size_t)(argc > 2 ? atoi(argv[2]) : 32) << 8;
  if (is_wanted(argc, argv, "write")) {
    write_blocks("a step, shuffled and deflated, together", deflated);
    if (is_available(zstandard)) {
      write_blocks("a step, quantized, shuffled, by Zstandard, together", quantized);
      compress_blocks("a step by Zstandard alone");
    }
    write_blocks("a step, uncompressed, together", plain);
    write_blocks("a step, uncompressed, each by itself", independent);
  }
  if (is_wanted(argc, argv, "read")) {
    if (rank == 0) make_large();
    read_blocks("a record, in rows of chunks, together", 1, (size_t)ranks, NC_COLLECTIVE);
    read_blocks("a record, in rows of chunks, each by itself", 1, (size_t)ranks, NC_INDEPENDENT);
    read_blocks("a record, in columns that share chunks, together", (size_t)ranks, 1, NC_COLLECTIVE);
  }
  if (is_wanted(argc, argv, "open")) {
    if (rank == 0) make_many();
    read_one_of_many();
  }
  MPI_Finalize();
  return 0;
}
