/* Offsets of variables and filled cells, in many combinations of hints, arguments of ncmpi__enddef and definitions
 * made again: each seed is a file, of which everything that PnetCDF reports is printed. The tests run it with PnetCDF
 * alone and with the drop-in, and compare its output, and the values that were put into the files.
 *
 *   places FOLDER FIRST LAST */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_variables = 32 };

static uint64_t state;
static int chance(int n) { /* 0 to n - 1 */
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int)((state >> 33) % (uint64_t)n);
}
static MPI_Offset one_of(const int *values, int n) { return values[chance(n)]; }
static const int alignments[] = {0, 0, 1, 4, 6, 8, 32, 100, 512, 1000, 4096};
static const int rooms[] = {0, 0, 3, 16, 700, 5000};
#define ONE_OF(values) one_of(values, (int)(sizeof(values) / sizeof *(values)))

static int file, dims[3], changes;
static char path[500];

static void report(const char *call, int code) {
  if (code != NC_NOERR) printf("%s: %s\n", call, ncmpi_strerrno(code));
}
#define DO(call) report(#call, (call))

static void print_hints(void) {
  static const char *const keys[] = {"nc_header_align_size", "nc_var_align_size", "nc_record_align_size"};
  MPI_Info info;
  DO(ncmpi_inq_file_info(file, &info));
  for (int k = 0; k < 3; ++k) {
    char value[MPI_MAX_INFO_VAL + 1] = "";
    int found;
    MPI_Info_get(info, keys[k], MPI_MAX_INFO_VAL, value, &found);
    printf(" %s=%s", keys[k], value);
  }
  MPI_Info_free(&info);
}

/* A line for each variable: its place, size and the distance of its records, by which the test finds its values. */
static void print_places(void) {
  MPI_Offset header, extent, record, records = 0, begin, length;
  int n, record_dim;
  DO(ncmpi_inq_nvars(file, &n));
  DO(ncmpi_inq_header_size(file, &header));
  DO(ncmpi_inq_header_extent(file, &extent));
  DO(ncmpi_inq_recsize(file, &record));
  DO(ncmpi_inq_unlimdim(file, &record_dim));
  if (record_dim >= 0) DO(ncmpi_inq_dimlen(file, record_dim, &records));
  printf("header %lld extent %lld record %lld records %lld", (long long)header, (long long)extent, (long long)record,
         (long long)records);
  print_hints();
  printf("\n");
  for (int v = 0; v < n; ++v) {
    static const int bytes_of[] = {0, 1, 1, 2, 4, 4, 8};
    int ndims, ids[3], has_records = 0, no_fill;
    double fill = 0;
    nc_type type;
    DO(ncmpi_inq_var(file, v, NULL, &type, &ndims, ids, NULL));
    MPI_Offset bytes = bytes_of[type];
    for (int d = 0; d < ndims; ++d) {
      DO(ncmpi_inq_dimlen(file, ids[d], &length));
      if (ids[d] == record_dim)
        has_records = 1;
      else
        bytes *= length;
    }
    DO(ncmpi_inq_varoffset(file, v, &begin));
    DO(ncmpi_inq_var_fill(file, v, &no_fill, &fill));
    uint64_t bits;
    memcpy(&bits, &fill, sizeof bits);
    printf("variable %d begin %lld bytes %lld records %d no_fill %d fill %llx\n", v, (long long)begin, (long long)bytes,
           has_records, no_fill, (unsigned long long)bits);
  }
}

static void set_fill(int v) {
  static const char values[8] = {7, 7, 7, 7, 7, 7, 7, 7};
  switch (chance(6)) {
    case 0:
      report("def_var_fill", ncmpi_def_var_fill(file, v, 0, values));
      break;
    case 1:
      report("def_var_fill without a value", ncmpi_def_var_fill(file, v, 0, NULL));
      break;
    case 2:
      report("def_var_fill, none", ncmpi_def_var_fill(file, v, 1, values));
      break;
    default:;
  }
}

static void define_some(int at_most) {
  static const nc_type types[] = {NC_BYTE, NC_CHAR, NC_SHORT, NC_INT, NC_FLOAT, NC_DOUBLE};
  int n, known, fill;
  DO(ncmpi_inq_nvars(file, &known));
  n = chance(at_most + 1);
  if (chance(4) == 0) report("set_fill", ncmpi_set_fill(file, chance(2) ? NC_FILL : NC_NOFILL, &fill));
  for (int i = 0; i < n && known + i < most_variables; ++i) {
    char name[20];
    int v, ids[3], ndims = 0;
    if (chance(2)) ids[ndims++] = dims[0];
    if (chance(5)) ids[ndims++] = dims[1];
    if (chance(3) == 0) ids[ndims++] = dims[2];
    snprintf(name, sizeof name, "v%d", known + i);
    DO(ncmpi_def_var(file, name, types[chance(6)], ndims, ids, &v));
    set_fill(v);
    if (chance(6) == 0) {
      nc_type type;
      DO(ncmpi_inq_vartype(file, v, &type));
      if (type != NC_CHAR) report("_FillValue", ncmpi_put_att_int(file, v, "_FillValue", type, 1, &(int){42}));
    }
  }
  if (known > 0 && chance(3) == 0) set_fill(chance(known)); /* of one that is in the file, perhaps */
  if (chance(2)) {
    char name[20], text[700];
    memset(text, 'x', sizeof text);
    snprintf(name, sizeof name, "a%d", changes);
    DO(ncmpi_put_att_text(file, NC_GLOBAL, name, chance(2) ? 5 : (MPI_Offset)chance(700), text));
  }
  if (chance(3) == 0)
    report("_enddef", ncmpi__enddef(file, ONE_OF(rooms), ONE_OF(alignments), ONE_OF(rooms), ONE_OF(alignments)));
  else
    report("enddef", ncmpi_enddef(file));
  ++changes;
}

/* Values into a part of the variables; the rest is filled or not. */
static void put_some(int all) {
  int n, record_dim;
  MPI_Offset records = 0;
  DO(ncmpi_inq_nvars(file, &n));
  DO(ncmpi_inq_unlimdim(file, &record_dim));
  DO(ncmpi_inq_dimlen(file, record_dim, &records));
  if (!all) records += chance(2);
  for (int v = 0; v < n; ++v) {
    static char bytes[8 * 7 * 5];
    nc_type type;
    int ndims, ids[3];
    MPI_Offset start[3] = {0}, count[3], cells = 1;
    static const MPI_Datatype types[] = {MPI_BYTE, MPI_SIGNED_CHAR, MPI_CHAR,  MPI_SHORT,
                                         MPI_INT,  MPI_FLOAT,       MPI_DOUBLE};
    DO(ncmpi_inq_var(file, v, NULL, &type, &ndims, ids, NULL));
    const int has_records = ndims > 0 && ids[0] == record_dim;
    for (int d = 0; d < ndims; ++d) {
      DO(ncmpi_inq_dimlen(file, ids[d], &count[d]));
      if (d == 0 && has_records) count[d] = 1;
      cells *= count[d];
    }
    for (size_t i = 0; i < sizeof bytes; ++i) bytes[i] = (char)(1 + v + 3 * changes + (int)i % 5);
    const int wanted = all || chance(3) > 0, filled = chance(3) == 0;
    for (MPI_Offset r = 0; r < (has_records ? records : 1); ++r) {
      start[0] = has_records ? r : 0;
      if (filled && has_records && !all) report("fill_var_rec", ncmpi_fill_var_rec(file, v, r));
      if (wanted) report("put", ncmpi_put_vara_all(file, v, start, count, bytes, cells, types[type]));
    }
  }
}

static MPI_Info hints(void) {
  static const char *const keys[] = {"nc_header_align_size", "nc_var_align_size", "nc_record_align_size",
                                     "striping_unit"};
  MPI_Info info;
  MPI_Info_create(&info);
  for (int k = 0; k < 4; ++k) {
    char value[20];
    snprintf(value, sizeof value, "%d", (int)ONE_OF(alignments));
    if (chance(3) == 0) MPI_Info_set(info, keys[k], k < 3 ? value : "16");
  }
  return info;
}

static void make(int seed) {
  static const int formats[] = {0, NC_64BIT_OFFSET, NC_64BIT_DATA};
  /* Flags that mean nothing to PnetCDF: NC_PNETCDF, NC_LOCK, NC_CLASSIC_MODEL. */
  static const int nothing[] = {0, 0x2000, 0x0400, 0x0100};
  state = (uint64_t)seed * 977 + 5;
  for (int i = 0; i < 9; ++i) chance(2);
  changes = 0;
  printf("seed %d\n", seed);
  MPI_Info info = hints();
  report("create",
         ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | formats[chance(3)] | nothing[chance(4)], info, &file));
  MPI_Info_free(&info);
  DO(ncmpi_def_dim(file, "t", NC_UNLIMITED, &dims[0]));
  DO(ncmpi_def_dim(file, "x", 7, &dims[1]));
  DO(ncmpi_def_dim(file, "y", 5, &dims[2]));
  print_hints();
  printf("\n");
  define_some(5);
  print_places();
  put_some(0);
  for (int again = chance(4); again > 0; --again) {
    if (chance(3) == 0) {
      put_some(1);
      report("close", ncmpi_close(file));
      info = hints();
      report("open", ncmpi_open(MPI_COMM_WORLD, path, NC_WRITE | nothing[chance(4)], info, &file));
      MPI_Info_free(&info);
      print_places();
    }
    report("redef", ncmpi_redef(file));
    define_some(2);
    print_places();
    put_some(0);
  }
  print_places();
  if (changes > 1) put_some(1); /* PnetCDF loses some where a file is defined again with other alignments */
  report("close", ncmpi_close(file));
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (argc != 4) MPI_Abort(MPI_COMM_WORLD, 1);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank > 0 && freopen("/dev/null", "w", stdout) == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int seed = atoi(argv[2]); seed <= atoi(argv[3]); ++seed) {
    snprintf(path, sizeof path, "%s/%d.nc", argv[1], seed);
    make(seed);
  }
  return MPI_Finalize();
}
