/* A program as PnetCDF's users write it, which knows nothing of Sverdrup: definitions, collective puts, requests that
 * wait, a redefinition, reading back. The tests run it with the drop-in and without, and compare the files.
 *
 *   model FILE [FLAGS]       flags of ncmpi_create, as a number */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>

#define MUST(call)                                                                         \
  do {                                                                                     \
    const int code = (call);                                                               \
    if (code != NC_NOERR) {                                                                \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, ncmpi_strerror(code)); \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                        \
    }                                                                                      \
  } while (0)
#define REQUIRE(condition)                                                    \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      MPI_Abort(MPI_COMM_WORLD, 1);                                           \
    }                                                                         \
  } while (0)

enum { nz = 3, ny = 8, nx = 10, records = 3 };
static int rank, ranks;

static MPI_Offset first_row(void) { return ny * rank / ranks; }
static MPI_Offset rows(void) { return ny * (rank + 1) / ranks - first_row(); }
static double cell(int record, int k, MPI_Offset j, int i) { return 1000 * record + 100 * k + 10 * (double)j + i; }

struct variables {
  int area, sst, ice, time;
};

static struct variables define(int file) {
  struct variables v;
  int z, y, x, t;
  const short version = 3;
  MUST(ncmpi_def_dim(file, "time", NC_UNLIMITED, &t));
  MUST(ncmpi_def_dim(file, "z", nz, &z));
  MUST(ncmpi_def_dim(file, "y", ny, &y));
  MUST(ncmpi_def_dim(file, "x", nx, &x));
  MUST(ncmpi_def_var(file, "area", NC_DOUBLE, 2, (int[]){y, x}, &v.area));
  MUST(ncmpi_def_var(file, "sst", NC_FLOAT, 4, (int[]){t, z, y, x}, &v.sst));
  MUST(ncmpi_def_var(file, "ice", NC_SHORT, 3, (int[]){t, y, x}, &v.ice));
  MUST(ncmpi_def_var(file, "time", NC_DOUBLE, 1, &t, &v.time));
  MUST(ncmpi_put_att_text(file, NC_GLOBAL, "title", 4, "test"));
  MUST(ncmpi_put_att_short(file, v.area, "version", NC_INT, 1, &version));
  MUST(ncmpi_put_att_text(file, v.sst, "units", 4, "degC"));
  MUST(ncmpi_enddef(file));
  return v;
}

static void put(int file, struct variables v) {
  double area[ny * nx];
  float sst[nz * ny * nx];
  short ice[records][ny * nx];
  int requests[records + 1], statuses[records + 1];
  const MPI_Offset js = first_row(), nj = rows();
  for (int j = 0; j < nj; ++j)
    for (int i = 0; i < nx; ++i) area[j * nx + i] = cell(0, 0, js + j, i);
  MUST(ncmpi_put_vara_double_all(file, v.area, (MPI_Offset[]){js, 0}, (MPI_Offset[]){nj, nx}, area));
  for (int n = 0; n < records; ++n) {
    const double when = n * 0.5;
    for (int k = 0; k < nz; ++k)
      for (int j = 0; j < nj; ++j)
        for (int i = 0; i < nx; ++i) sst[(k * nj + j) * nx + i] = (float)cell(n, k, js + j, i);
    MUST(ncmpi_put_vara_float_all(file, v.sst, (MPI_Offset[]){n, 0, js, 0}, (MPI_Offset[]){1, nz, nj, nx}, sst));
    for (int j = 0; j < nj * nx; ++j) ice[n][j] = (short)cell(n, 9, js + j / nx, j % nx);
    MUST(ncmpi_iput_vara_short(file, v.ice, (MPI_Offset[]){n, js, 0}, (MPI_Offset[]){1, nj, nx}, ice[n], &requests[n]));
    MUST(ncmpi_put_var1_double_all(file, v.time, (MPI_Offset[]){n}, &when));
  }
  requests[records] = NC_REQ_NULL;
  MUST(ncmpi_wait_all(file, records + 1, requests, statuses));
  for (int n = 0; n < records; ++n) REQUIRE(statuses[n] == NC_NOERR && requests[n] == NC_REQ_NULL);
}

static void inquire(int file, struct variables v) {
  char name[NC_MAX_NAME + 1];
  MPI_Offset length;
  int count, dims[4], id;
  nc_type type;
  MUST(ncmpi_inq_unlimdim(file, &id));
  MUST(ncmpi_inq_dim(file, id, name, &length));
  REQUIRE(length == records);
  MUST(ncmpi_inq_var(file, v.sst, name, &type, &count, dims, &id));
  REQUIRE(type == NC_FLOAT && count == 4 && dims[0] == 0 && id == 1 && name[0] == 's');
  REQUIRE(ncmpi_inq_varid(file, "nothing", &id) == NC_ENOTVAR);
  REQUIRE(ncmpi_def_dim(file, "late", 3, &id) == NC_ENOTINDEFINE);
}

/* Values that another rank has put. */
static void get(int file, struct variables v) {
  double sst[nz * ny * nx];
  int ice[ny * nx], request;
  MUST(
      ncmpi_get_vara_double_all(file, v.sst, (MPI_Offset[]){records - 1, 0, 0, 0}, (MPI_Offset[]){1, nz, ny, nx}, sst));
  for (int c = 0; c < nz * ny * nx; ++c) REQUIRE(sst[c] == cell(records - 1, c / (ny * nx), c / nx % ny, c % nx));
  MUST(ncmpi_iget_vara_int(file, v.ice, (MPI_Offset[]){1, 0, 0}, (MPI_Offset[]){1, ny, nx}, ice, &request));
  MUST(ncmpi_wait_all(file, 1, &request, NULL));
  for (int c = 0; c < ny * nx; ++c) REQUIRE(ice[c] == cell(1, 9, c / nx, c % nx));
}

/* An error in the arguments of one rank is its own. */
static void misuse(int file, struct variables v) {
  double area[nx] = {0};
  for (int i = 0; i < nx; ++i) area[i] = cell(0, 0, 0, i);
  const int wrong = rank == ranks - 1;
  const int code =
      ncmpi_put_vara_double_all(file, v.area, (MPI_Offset[]){wrong ? ny + 1 : 0, 0}, (MPI_Offset[]){1, nx}, area);
  REQUIRE(code == (wrong ? NC_EINVALCOORDS : NC_NOERR));
}

/* Of the last record, one variable has nothing behind the end of the file: it reads as zeros, and moves. */
static void leave_hole(const char *path) {
  char value = 'x', hole = 'y';
  int file, t, first, second;
  MUST(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER, MPI_INFO_NULL, &file));
  MUST(ncmpi_def_dim(file, "t", NC_UNLIMITED, &t));
  MUST(ncmpi_def_var(file, "first", NC_CHAR, 1, &t, &first));
  MUST(ncmpi_def_var(file, "second", NC_CHAR, 1, &t, &second));
  MUST(ncmpi_close(file));
  MUST(ncmpi_open(MPI_COMM_WORLD, path, NC_WRITE, MPI_INFO_NULL, &file));
  for (MPI_Offset n = 0; n < 3; ++n) {
    char name[8], text[400] = {0};
    MUST(ncmpi_put_var1_text_all(file, first, &n, &value));
    MUST(ncmpi_get_var1_text_all(file, second, &n, &hole));
    snprintf(name, sizeof name, "a%d", (int)n);
    MUST(ncmpi_redef(file));
    MUST(ncmpi_put_att_text(file, first, name, sizeof text, text));
    MUST(ncmpi_enddef(file));
    MUST(ncmpi_put_var1_text_all(file, second, &n, &value));
  }
  MUST(ncmpi_close(file));
}

/* vard: a row of each level of two records, in one call; and back, into memory with holes. */
static void describe(int file, struct variables v) {
  MPI_Offset record;
  MPI_Datatype rows, both, apart;
  float put[2 * nz * nx], got[4 * nz * nx] = {0};
  MUST(ncmpi_inq_recsize(file, &record));
  MPI_Type_vector(nz, nx, ny * nx, MPI_FLOAT, &rows); /* row `rank` of each level */
  MPI_Type_create_hindexed(2, (int[]){1, 1}, (MPI_Aint[]){4 * nx * rank, record + 4 * nx * rank}, rows, &both);
  MPI_Type_vector(2 * nz * nx, 1, 2, MPI_FLOAT, &apart);
  MPI_Type_commit(&both);
  MPI_Type_commit(&apart);
  MUST(ncmpi_get_vard_all(file, v.sst, both, got, 1, apart));
  for (int c = 0; c < 2 * nz * nx; ++c)
    REQUIRE(got[2 * c] == (float)cell(c / (nz * nx), c / nx % nz, rank, c % nx) && (c == 0 || got[2 * c - 1] == 0));
  for (int c = 0; c < 2 * nz * nx; ++c) put[c] = got[2 * c];
  MUST(ncmpi_put_vard_all(file, v.sst, both, put, 2 * nz * nx, MPI_FLOAT));
  REQUIRE(ncmpi_put_vard_all(file, v.sst, both, put, 2, MPI_FLOAT) == NC_EIOMISMATCH);
  REQUIRE(ncmpi_put_vard_all(file, v.area, both, put, 1, apart) == NC_ETYPE_MISMATCH);
  MUST(ncmpi_get_vard_all(file, v.sst, both, got, 0, apart));
  MPI_Type_free(&rows);
  MPI_Type_free(&both);
  MPI_Type_free(&apart);
}

/* vard: cells of one variable, and a record of another that there is not. PnetCDF's results of it are its own; nothing
 * is left behind that changes the memory later. */
static double reached[nx + 1];
static void reach_beyond(int file, struct variables v) {
  MPI_Offset area, when, record;
  MPI_Datatype cells;
  MUST(ncmpi_inq_recsize(file, &record));
  MUST(ncmpi_inq_varoffset(file, v.area, &area));
  MUST(ncmpi_inq_varoffset(file, v.time, &when));
  MPI_Type_create_hindexed(2, (int[]){nx, 1}, (MPI_Aint[]){0, when - area + 50 * record}, MPI_DOUBLE, &cells);
  MPI_Type_commit(&cells);
  ncmpi_get_vard_all(file, v.area, cells, reached, nx + 1, MPI_DOUBLE);
  MPI_Type_free(&cells);
  for (int i = 0; i <= nx; ++i) reached[i] = -7;
}

/* The longest dimensions. Of CDF-2, PnetCDF has changed it in its version 1.13; of CDF-1, it is the shorter one of
 * both. */
#if PNETCDF_VERSION_MAJOR > 1 || PNETCDF_VERSION_MINOR >= 13
static const MPI_Offset longest_of_cdf2 = 2147483647;
#else
static const MPI_Offset longest_of_cdf2 = 4294967292;
#endif
static const MPI_Offset longest_of_cdf1 = 2147483644, too_long_for_cdf1 = 2147483648;

/* The limits of the formats, and requests for nothing, for which no rank waits. */
static void go_to_the_edge(const char *path) {
  int file, dim, variable, request, pending;
  MPI_Offset length;
  char other[512];
  snprintf(other, sizeof other, "%s.edge", path);
  MUST(ncmpi_create(MPI_COMM_WORLD, other, NC_CLOBBER | NC_64BIT_OFFSET, MPI_INFO_NULL, &file));
  MUST(ncmpi_def_dim(file, "long", longest_of_cdf2, &dim));
  REQUIRE(ncmpi_def_dim(file, "longer", longest_of_cdf2 + 1, &dim) == NC_EDIMSIZE);
  MUST(ncmpi_close(file));
  MUST(ncmpi_open(MPI_COMM_WORLD, other, NC_NOWRITE, MPI_INFO_NULL, &file));
  MUST(ncmpi_inq_dimlen(file, 0, &length));
  REQUIRE(length == longest_of_cdf2);
  MUST(ncmpi_close(file));
  MUST(ncmpi_create(MPI_COMM_WORLD, other, NC_CLOBBER, MPI_INFO_NULL, &file));
  MUST(ncmpi_def_dim(file, "long", longest_of_cdf1, &dim));
  REQUIRE(ncmpi_def_dim(file, "longer", too_long_for_cdf1, &dim) == NC_EDIMSIZE);
  MUST(ncmpi_def_dim(file, "x", nx, &dim));
  MUST(ncmpi_def_var(file, "v", NC_INT, 1, &dim, &variable));
  REQUIRE(ncmpi__enddef(file, 2147483648, 4, 0, 4) == NC_EVARSIZE);
  MUST(ncmpi_enddef(file)); /* it is still in define mode */
  MUST(ncmpi_iput_vara_int(file, variable, (MPI_Offset[]){nx}, (MPI_Offset[]){0}, &dim, &request));
  MUST(ncmpi_inq_nreqs(file, &pending));
  REQUIRE(request == NC_REQ_NULL && pending == 0);
  MUST(ncmpi_close(file));
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) MUST(ncmpi_delete(other, MPI_INFO_NULL));
}

static void extend(int file) {
  int x, t, filled, flag;
  int values[nx];
  for (int i = 0; i < nx; ++i) values[i] = i * i;
  MUST(ncmpi_redef(file));
  MUST(ncmpi_inq_dimid(file, "x", &x));
  MUST(ncmpi_rename_var(file, 0, "cells"));
  MUST(ncmpi_inq_unlimdim(file, &t));
  MUST(ncmpi_def_var(file, "f", NC_INT, 1, &x, &filled));
  MUST(ncmpi_def_var_fill(file, filled, 0, &(int){-5}));
  MUST(ncmpi_set_fill(file, NC_FILL, NULL));
  MUST(ncmpi_def_var(file, "g", NC_INT, 1, &t, &flag));
  MUST(ncmpi_enddef(file));
  MUST(ncmpi_put_vara_int_all(file, filled, (MPI_Offset[]){0}, (MPI_Offset[]){2}, values));
  MUST(ncmpi_begin_indep_data(file));
  if (rank == ranks - 1) MUST(ncmpi_put_var1_int(file, filled, (MPI_Offset[]){2}, &(int){77}));
  MUST(ncmpi_end_indep_data(file));
  MUST(ncmpi_fill_var_rec(file, flag, records));
  MUST(ncmpi_put_var1_int_all(file, flag, (MPI_Offset[]){1}, &(int){3}));
  MUST(ncmpi_sync(file));
  int flags[records + 1];
  MUST(ncmpi_get_var_int_all(file, flag, flags));
  for (int i = 0; i <= nx; ++i) REQUIRE(reached[i] == -7);
  REQUIRE(flags[0] == NC_FILL_INT && flags[1] == 3 && flags[records] == NC_FILL_INT);
}

/* Definitions that are given up: the file is what it was before them; of one that was never defined, nothing is left.
 */
static void give_up(const char *path, int flags) {
  char other[512];
  int file, x, t, v, filled, request, pending, status;
  MPI_Info hints; /* which move variables, but not the first one */
  MPI_Info_create(&hints);
  MPI_Info_set(hints, "nc_var_align_size", "32");
  MPI_Info_set(hints, "nc_record_align_size", "8");
  snprintf(other, sizeof other, "%s.kept", path);
  MUST(ncmpi_create(MPI_COMM_WORLD, other, NC_CLOBBER | flags, hints, &file));
  MPI_Info_free(&hints);
  MUST(ncmpi_def_dim(file, "x", ranks, &x));
  MUST(ncmpi_def_var(file, "v", NC_INT, 1, &x, &v));
  MUST(ncmpi_def_dim(file, "t", NC_UNLIMITED, &t));
  MUST(ncmpi_def_var(file, "filled", NC_BYTE, 2, (int[]){t, x}, &filled));
  MUST(ncmpi_put_att_int(file, filled, "_FillValue", NC_BYTE, 1, &(int){-1})); /* which asks for filling, too */
  MUST(ncmpi_enddef(file));
  MUST(ncmpi_put_var1_int_all(file, v, (MPI_Offset[]){rank}, &rank));
  MUST(ncmpi_fill_var_rec(file, filled, 0));
  /* Fortran programs never get this number; PnetCDF waits for as many requests as there are. */
  REQUIRE(ncmpi_iput_var1_int(file, filled, (MPI_Offset[]){1, rank}, &(int){1000}, &request) == NC_ERANGE);
  request = NC_REQ_NULL;
  MUST(ncmpi_wait_all(file, 1, &request, &status));
  MUST(ncmpi_inq_nreqs(file, &pending));
  REQUIRE(pending == 0 && status == NC_NOERR);
  MUST(ncmpi_redef(file));
  MUST(ncmpi_rename_var(file, v, "w"));
  MUST(ncmpi_def_var(file, "more", NC_DOUBLE, 1, &x, &v));
  MUST(ncmpi_put_att_text(file, NC_GLOBAL, "title", 5, "never"));
  MUST(ncmpi_abort(file));
  snprintf(other, sizeof other, "%s.never", path);
  MUST(ncmpi_create(MPI_COMM_WORLD, other, NC_CLOBBER | flags, MPI_INFO_NULL, &file));
  MUST(ncmpi_def_dim(file, "x", 4, &x));
  ncmpi_abort(file); /* PnetCDF over Open MPI's MPI-IO: each rank deletes it, and one finds nothing to delete */
  REQUIRE(ncmpi_open(MPI_COMM_WORLD, other, NC_NOWRITE, MPI_INFO_NULL, &file) == NC_ENOENT);
}

int main(int argc, char **argv) {
  int file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 2) MPI_Abort(MPI_COMM_WORLD, 1);
  const int flags = argc > 2 ? (int)strtol(argv[2], NULL, 0) : 0;
  MUST(ncmpi_create(MPI_COMM_WORLD, argv[1], NC_CLOBBER | flags, MPI_INFO_NULL, &file));
  const struct variables v = define(file);
  put(file, v);
  inquire(file, v);
  get(file, v);
  if (ranks > 1) misuse(file, v);
  MUST(ncmpi_close(file));
  MUST(ncmpi_open(MPI_COMM_WORLD, argv[1], NC_WRITE, MPI_INFO_NULL, &file));
  get(file, v);
  describe(file, v);
  reach_beyond(file, v);
  extend(file);
  MUST(ncmpi_close(file));
  REQUIRE(ncmpi_close(file) == NC_EBADID);
  go_to_the_edge(argv[1]);
  char hole[300];
  snprintf(hole, sizeof hole, "%s.hole", argv[1]);
  leave_hole(hole);
  give_up(argv[1], flags);
  REQUIRE(ncmpi_open(MPI_COMM_WORLD, "nowhere.nc", NC_NOWRITE, MPI_INFO_NULL, &file) == NC_ENOENT);
  MPI_Finalize();
  return 0;
}
