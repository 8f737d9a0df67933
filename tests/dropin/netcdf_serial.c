/* Serial files of netCDF-4. Arguments:
 *   random FIRST LAST LIST   random programs; each lists its results, and writes random.SEED.nc
 *   append FIRST LAST LIST   the same of these files, which are opened
 *   killed FILE              three records that are synchronised, and three that are not; then a signal. Where there is
 *                            such a file, they are added
 *   full FILE LIST           more than a limit of the file's length permits
 *   many FILE COUNT LIST     many files after each other, of which the memory is listed
 *   left_open FILE           a file that stays open, and is read from another directory meanwhile
 * With -DUSE_HDF5, the program uses variables of HDF5 itself. */
#include <netcdf.h>
#include <netcdf_filter.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static FILE *list;
static unsigned long state;

#define MUST(call)                                                              \
  do {                                                                          \
    const int code = call;                                                      \
    if (code != NC_NOERR) {                                                     \
      fprintf(stderr, "line %d: %s: %s\n", __LINE__, #call, nc_strerror(code)); \
      exit(1);                                                                  \
    }                                                                           \
  } while (0)

static int below(int n) {
  state = state * 6364136223846793005UL + 1442695040888963407UL;
  return (int)((state >> 33) % (unsigned long)n);
}

enum { most_dims = 6, most_variables = 12, most_values = 4096 };
struct made {
  int file, dims, variables, is_classic, is_defined, is_opened;
  int unlimited[most_dims], is_used[most_dims], rank[most_variables], of[most_variables][4], is_text[most_variables];
};

static void define_dim(struct made *own, int is_unlimited) {
  char name[16];
  snprintf(name, sizeof name, "d%d", own->dims);
  own->unlimited[own->dims] = is_unlimited;
  MUST(nc_def_dim(own->file, name, is_unlimited ? NC_UNLIMITED : 1 + (size_t)below(9), NULL));
  ++own->dims;
}

static void put_attribute(struct made *own, int variable) {
  char name[16];
  const double values[] = {below(100), below(100), below(100)};
  snprintf(name, sizeof name, "a%d", below(14));
  if (below(3) == 0)
    fprintf(list, "text attribute %d\n", nc_put_att_text(own->file, variable, name, (size_t)below(12), "twelve bytes"));
  else
    fprintf(list, "attribute %d\n",
            nc_put_att_double(own->file, variable, name, below(2) ? NC_FLOAT : NC_INT, 1 + (size_t)below(3), values));
}

/* Dimension 0 may be unlimited, and be that of many variables. Other unlimited ones have one variable each:
 * netCDF-C 4.9 returns uninitialised memory where another one has made such a dimension longer. */
static void define_variable(struct made *own) {
  const int all[] = {NC_BYTE, NC_SHORT, NC_INT, NC_FLOAT, NC_DOUBLE, NC_CHAR, NC_UBYTE, NC_UINT, NC_INT64, NC_UINT64};
  const int v = own->variables++, type = all[below(own->is_classic ? 6 : 10)];
  char name[16];
  int made;
  own->is_text[v] = type == NC_CHAR;
  own->rank[v] = 0;
  for (int d = 0, is_shared = 0; d < own->dims && own->rank[v] < 4; ++d) {
    if (own->unlimited[d] && (is_shared || (d > 0 && own->is_used[d]))) continue;
    if (below(3) == 0) continue;
    is_shared = d == 0 && own->unlimited[d];
    own->is_used[d] = 1;
    own->of[v][own->rank[v]++] = d;
  }
  snprintf(name, sizeof name, "v%d", v);
  MUST(nc_def_var(own->file, name, type, own->rank[v], own->of[v], &made));
  if (type != NC_CHAR && below(4) == 0) MUST(nc_put_att_double(own->file, made, "_FillValue", type, 1, (double[]){7}));
  if (own->rank[v] == 0) return;
  if (below(3) == 0 || own->is_defined) { /* default chunks depend on the present records */
    size_t chunk[4];
    for (int d = 0; d < own->rank[v]; ++d) chunk[d] = 1;
    chunk[own->rank[v] - 1] = own->unlimited[own->of[v][own->rank[v] - 1]] ? 1 + (size_t)below(7) : 1;
    MUST(nc_def_var_chunking(own->file, made, NC_CHUNKED, chunk));
  }
  if (below(2)) MUST(nc_def_var_deflate(own->file, made, below(2), 1, 1 + below(5)));
  if (below(4) == 0) MUST(nc_def_var_fletcher32(own->file, made, NC_FLETCHER32));
  if (!own->is_opened && type != NC_CHAR && below(5) == 0) MUST(nc_def_var_endian(own->file, made, NC_ENDIAN_BIG));
}

/* A region of a variable, with fewer than most_values cells. Unlimited dimensions may grow in puts. NetCDF-C 4.9 loses
 * values of gets with a stride where another variable has more records. */
static size_t choose(const struct made *own, int v, int is_put, size_t *start, size_t *count, ptrdiff_t *stride) {
  size_t all = 1;
  for (int d = 0; d < own->rank[v]; ++d) {
    size_t length;
    MUST(nc_inq_dimlen(own->file, own->of[v][d], &length));
    if (is_put && own->unlimited[own->of[v][d]]) length += (size_t)below(3);
    if (below(25) == 0) ++length; /* a wrong one */
    start[d] = length == 0 ? 0 : (size_t)below((int)length);
    stride[d] = is_put || !own->unlimited[own->of[v][d]] ? 1 + below(2) * below(3) : 1;
    count[d] = length <= start[d] ? 0 : 1 + (size_t)below((int)((length - start[d] - 1) / (size_t)stride[d]) + 1);
    if (below(3) == 0 && stride[d] == 1) start[d] = 0, count[d] = length;
    all *= count[d];
  }
  return all;
}

static void move(const struct made *own, int is_put) {
  const int v = below(own->variables);
  size_t start[4], count[4];
  ptrdiff_t stride[4];
  static double numbers[most_values];
  static float floats[most_values];
  static char text[most_values];
  const size_t all = choose(own, v, is_put, start, count, stride);
  if (all > most_values) return;
  for (size_t i = 0; i < most_values; ++i) {
    numbers[i] = is_put ? below(300) - 30 : -1;
    floats[i] = (float)numbers[i];
    text[i] = (char)(is_put ? 'a' + below(26) : '-');
  }
  const int kind = below(3);
  int code;
  if (own->is_text[v])
    code = is_put ? nc_put_vars_text(own->file, v, start, count, stride, text)
                  : nc_get_vars_text(own->file, v, start, count, stride, text);
  else if (kind == 0)
    code = is_put ? nc_put_vara_float(own->file, v, start, count, floats)
                  : nc_get_vara_float(own->file, v, start, count, floats);
  else
    code = is_put ? nc_put_vars_double(own->file, v, start, count, stride, numbers)
                  : nc_get_vars_double(own->file, v, start, count, stride, numbers);
  fprintf(list, "%s v%d: %d", is_put ? "put" : "get", v, code);
  for (size_t i = 0; !is_put && code != NC_EINVALCOORDS && code != NC_EEDGE && i < all; ++i)
    fprintf(list, own->is_text[v] ? " %c" : " %g",
            own->is_text[v] ? text[i]
            : kind == 0     ? (double)floats[i]
                            : numbers[i]);
  fprintf(list, "\n");
}

static void redefine(struct made *own) {
  fprintf(list, "redef %d\n", nc_redef(own->file));
  if (own->dims < most_dims && below(3) == 0) define_dim(own, 0);
  for (int n = below(3); n > 0 && own->variables < most_variables; --n) define_variable(own);
  for (int n = below(3); n > 0; --n) put_attribute(own, below(own->variables + 1) - 1);
  for (int n = below(3) ? 0 : 30; n > 0; --n)
    put_attribute(own, own->variables - 1); /* more than HDF5 keeps in a header */
  if (below(6) == 0) fprintf(list, "delete %d\n", nc_del_att(own->file, NC_GLOBAL, "a1"));
  fprintf(list, "enddef %d\n", nc_enddef(own->file));
}

static void carry_out(struct made *own) {
  for (int step = 30 + below(30); step > 0; --step) {
    const int what = below(20);
    if (what < 12) move(own, 1);
    if (what >= 12 && what < 17) move(own, 0);
    if (what == 17) fprintf(list, "sync %d\n", nc_sync(own->file));
    if (what == 18) redefine(own);
    if (what == 19 && !own->is_classic) put_attribute(own, below(own->variables + 1) - 1);
    for (int d = 0; d < own->dims; ++d) {
      size_t length;
      MUST(nc_inq_dimlen(own->file, d, &length));
      fprintf(list, " %zu", length);
    }
    fprintf(list, "\n");
  }
  fprintf(list, "close %d\n", nc_close(own->file));
}

static void name_file(int seed, char *path, size_t length) {
  snprintf(path, length, "random.%d.nc", seed);
  fprintf(list, "seed %d\n", seed);
}

/* NetCDF-C 4.9 puts values in the wrong byte order into variables of a file that it has opened: from this seed on, none
 * has another order. */
enum { first_native = 1000 };

static void random_program(int seed) {
  char path[64];
  struct made own = {0};
  state = (unsigned long)seed;
  name_file(seed, path, sizeof path);
  own.is_classic = below(3) == 0;
  own.is_opened = seed >= first_native;
  MUST(nc_create(path, NC_NETCDF4 | (own.is_classic ? NC_CLASSIC_MODEL : 0), &own.file));
  if (below(2)) define_dim(&own, 1);
  for (int n = 1 + below(3); n > 0; --n) define_dim(&own, !own.is_classic && below(4) == 0);
  for (int n = 1 + below(5); n > 0; --n) define_variable(&own);
  for (int n = below(4); n > 0; --n) put_attribute(&own, below(own.variables + 1) - 1);
  MUST(nc_enddef(own.file));
  own.is_defined = 1;
  carry_out(&own);
}

static void append_program(int seed) {
  char path[64];
  struct made own = {.is_defined = 1, .is_opened = 1};
  int format, unlimited, numbers[most_dims], type;
  state = (unsigned long)seed * 7;
  name_file(seed, path, sizeof path);
  MUST(nc_open(path, NC_WRITE, &own.file));
  for (int n = 0; seed % 8 != 0 && n < 2; ++n) MUST(nc_sync(own.file));
  MUST(nc_inq(own.file, &own.dims, &own.variables, NULL, NULL));
  MUST(nc_inq_format(own.file, &format));
  MUST(nc_inq_unlimdims(own.file, &unlimited, numbers));
  own.is_classic = format == NC_FORMAT_NETCDF4_CLASSIC;
  while (unlimited > 0) own.unlimited[numbers[--unlimited]] = 1;
  for (int v = 0; v < own.variables; ++v) {
    MUST(nc_inq_var(own.file, v, NULL, &type, &own.rank[v], own.of[v], NULL));
    own.is_text[v] = type == NC_CHAR;
    for (int d = 0; d < own.rank[v]; ++d) own.is_used[own.of[v][d]] = 1;
  }
  carry_out(&own);
}

enum { cells = 1000 };

static int make_records(const char *path, int *v) {
  int file, dims[2];
  MUST(nc_create(path, NC_NETCDF4, &file));
  MUST(nc_def_dim(file, "time", NC_UNLIMITED, &dims[0]));
  MUST(nc_def_dim(file, "x", cells, &dims[1]));
  MUST(nc_def_var(file, "v", NC_INT, 2, dims, v));
  MUST(nc_def_var_deflate(file, *v, 1, 1, 1));
  MUST(nc_enddef(file));
  return file;
}

static int put_record(int file, int v, int record) {
  int values[cells];
  for (int i = 0; i < cells; ++i) values[i] = record * cells + i;
  return nc_put_vara_int(file, v, (size_t[]){(size_t)record, 0}, (size_t[]){1, cells}, values);
}

static void killed(const char *path) {
  int v = 0, file;
  size_t records;
  if (nc_open(path, NC_WRITE, &file) != NC_NOERR) file = make_records(path, &v);
  MUST(nc_inq_dimlen(file, 0, &records));
  for (int record = 0; record < 6; ++record) {
    MUST(put_record(file, v, (int)records + record));
    if (record == 2) MUST(nc_sync(file));
  }
  kill(getpid(), SIGKILL);
}

/* A small file is written when it ends. One that cannot be is left empty. */
static void full_for_small(const char *path) {
  const struct rlimit limit = {100, 100};
  struct stat there;
  int v;
  setrlimit(RLIMIT_FSIZE, &limit);
  const int file = make_records(path, &v);
  MUST(put_record(file, v, 0));
  const int closed = nc_close(file);
  fprintf(list, "%s\n", closed != NC_NOERR && stat(path, &there) == 0 && there.st_size == 0 ? "refused" : "no error");
}

static void full(const char *path) {
  const struct rlimit limit = {1 << 20, 1 << 20};
  int v, file, code = NC_NOERR;
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &limit);
  MUST(nc_create(path, NC_NETCDF4, &file));
  MUST(nc_def_dim(file, "x", 1 << 20, &v));
  MUST(nc_def_var(file, "v", NC_INT, 1, &v, &v));
  int *const values = calloc(1 << 20, sizeof *values);
  for (int i = 0; i < 1 << 20; ++i) values[i] = (int)((unsigned)i * 77777U);
  for (int i = 0; i < 3 && code == NC_NOERR; ++i) code = nc_put_var_int(file, v, values);
  const int closed = nc_close(file);
  fprintf(list, "%s\n", code != NC_NOERR || closed != NC_NOERR ? "refused" : "no error");
  free(values);
  full_for_small(path);
}

/* `path`: of a file in the directory left_open, which this process has open. */
static void read_from_elsewhere(const char *path) {
  char name[64];
  int file, value = 0;
  snprintf(name, sizeof name, "left_open/%s", path);
  if (chdir("..") != 0) exit(1);
  MUST(nc_open(name, NC_NOWRITE, &file));
  MUST(nc_get_var1_int(file, 0, (size_t[]){0, cells - 1}, &value));
  MUST(nc_close(file));
  if (value != cells - 1) exit(1);
}

static long resident_kib(void) {
  struct rusage use;
  getrusage(RUSAGE_SELF, &use);
  return use.ru_maxrss;
}

/* The first put ends definitions by itself. Another variable may have a fill value then. */
static void late_fill(const char *path) {
  const int one = 1;
  int file, first, second;
  MUST(nc_create(path, NC_NETCDF4, &file));
  MUST(nc_def_var(file, "first", NC_INT, 0, NULL, &first));
  MUST(nc_def_var(file, "second", NC_INT, 0, NULL, &second));
  MUST(nc_put_var_int(file, first, &one));
  MUST(nc_put_att_int(file, second, "_FillValue", NC_INT, 1, &one));
  MUST(nc_close(file));
}

static void many(const char *path, int count) {
  long before = 0;
  for (int n = 0; n < count; ++n) {
    int v;
    const int file = make_records(path, &v);
    MUST(put_record(file, v, 0));
    if (n % 2) MUST(nc_sync(file)); /* no small file that stays in memory */
    MUST(nc_close(file));
    if (n == count / 4) before = resident_kib();
  }
  fprintf(list, "%ld KiB more\n", resident_kib() - before);
}

static void say_whether_mpi_is_here(void) {
  char line[4096];
  FILE *const maps = fopen("/proc/self/maps", "r");
  int is_here = 0;
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
    is_here |= strstr(line, "libmpi") != NULL || strstr(line, "libopen-rte") != NULL;
  if (maps != NULL) fclose(maps);
  fprintf(list, "%s\n", is_here ? "MPI" : "no MPI");
}

#ifdef USE_HDF5
/* Of hdf5.h, hid_t. The linker gives the program copies of them, which HDF5 then uses, too. */
extern long long H5P_CLS_FILE_ACCESS_ID_g, H5P_CLS_GROUP_CREATE_ID_g, H5T_NATIVE_INT_g, H5T_NATIVE_DOUBLE_g;
int H5open(void);

static int has_hdf5_begun(void) {
  return H5open() >= 0 && H5P_CLS_FILE_ACCESS_ID_g > 0 && H5P_CLS_GROUP_CREATE_ID_g > 0 && H5T_NATIVE_INT_g > 0 &&
         H5T_NATIVE_DOUBLE_g > 0;
}
#endif

int main(int argc, char **argv) {
  const char *const what = argc > 2 ? argv[1] : "";
  int v;
#ifdef USE_HDF5
  if (!has_hdf5_begun()) return 3;
#endif
  list = fopen(argv[argc - 1], "w");
  if (!strcmp(what, "random"))
    for (int seed = atoi(argv[2]); seed <= atoi(argv[3]); ++seed) random_program(seed);
  if (!strcmp(what, "append"))
    for (int seed = atoi(argv[2]); seed <= atoi(argv[3]); ++seed) append_program(seed);
  if (!strcmp(what, "killed")) killed(argv[2]);
  if (!strcmp(what, "full")) late_fill(argv[2]);
  if (!strcmp(what, "full")) full(argv[2]);
  if (!strcmp(what, "many")) many(argv[2], atoi(argv[3]));
  if (!strcmp(what, "left_open")) {
    const int file = make_records(argv[2], &v);
    MUST(put_record(file, v, 0));
    read_from_elsewhere(argv[2]);
    return 0;
  }
  say_whether_mpi_is_here();
  fclose(list);
  return 0;
}
