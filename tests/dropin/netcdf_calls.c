/* Every name of netcdf.h that moves values, and every other one that takes a file, with good and with wrong arguments.
 * The results go into LOG: codes, and a hash of the values. The test runs it with the drop-in and without, and
 * compares.
 *
 *   netcdf_calls FILE LOG FLAGS [all] [filled]
 *   netcdf_calls FILE
 *
 * FLAGS are those of nc_create. all: each name with each variable and case. filled: range errors are not
 * compared. With FILE alone, it prints "filled" if the library has fill values there, and otherwise "cut".
 */
#include <netcdf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
  int variable;
  size_t *start, *count, length;
  ptrdiff_t *stride, *imap;
  void *data;
  const char *name;
  nc_type stored;
};
struct call {
  const char *name;
  int (*run)(int ncid, const struct arguments *a);
  char kind;        /* w, 1, a, s, m: of a variable; t: of an attribute */
  int is_put, type; /* type: in memory, of TYPES in netcdf_table.py; -1: the variable's */
};
struct question {
  const char *name;
  int (*ask)(int ncid, const char *text, long long (*out)[64]);
};
#include "netcdf_table.c"

enum { ny = 12, nx = 5, records = 2, most = 65536, none = -1 };
enum {
  good,
  beyond,
  edge,
  at_end,
  wide,
  no_stride,
  bad_stride,
  no_start,
  no_count,
  no_variable,
  global,
  range,
  nothing,
  further,
  sparse,
  cases
};
static int file, variables, types, filled;
static FILE *out;

static int memory_of(int stored) { /* of TYPES in the table */
  const int all[] = {none, 1, 0, 4, 6, 9, 10, 2, 5, 7, 11, 12};
  return all[stored];
}

static void check(int code, const char *what) {
  if (code == NC_NOERR) return;
  fprintf(stderr, "netcdf_calls: %s: %s\n", what, nc_strerror(code));
  exit(1);
}

static uint64_t hash(const void *bytes, size_t length) {
  uint64_t h = 1469598103934665603u;
  for (size_t i = 0; i < length; ++i) h = (h ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
  return h;
}

/* In the type in memory; with `far`, out of the range of smaller types, but not so far that C leaves the cast open. */
static long long far_value(int i, size_t bytes, int is_signed) {
  if (i % 3 == 0) return i % 50;
  if (bytes == 1) return is_signed ? -7 - i % 100 : 140 + i % 100;
  if (bytes == 2) return i % 3 == 1 && is_signed ? -3000 - i : 32000 + i % 100;
  return i % 3 == 1 && is_signed ? -100000 - i : 2000000000 + i;
}
#define STORE(kind, T)                                                                                             \
  case kind:                                                                                                       \
    for (int i = 0; i < n; ++i) ((T *)data)[i] = (T)(far ? far_value(i, sizeof(T), (T)-1 < (T)0) : base + i % 50); \
    break;
static void store(int type, void *data, int n, int base, int far) {
  switch (type) {
    STORE(0, char)
    STORE(1, signed char)
    STORE(2, unsigned char)
    STORE(3, unsigned char)
    STORE(4, short)
    STORE(5, unsigned short)
    STORE(6, int)
    STORE(7, unsigned)
    STORE(8, long)
    case 9: /* reals: within the integers of 32 bits, whose cast is defined */
      for (int i = 0; i < n; ++i)
        ((float *)data)[i] = (float)(far ? i % 3 == 0 ? i % 50 : i * 700 - 9000 : base + i % 50);
      break;
    case 10:
      for (int i = 0; i < n; ++i) ((double *)data)[i] = far ? i % 3 == 0 ? i % 50 : i * 700. - 9000. : base + i % 50;
      break;
      STORE(11, long long)
      STORE(12, unsigned long long)
    default:
      break;
  }
}

static void make(const char *path, int flags) {
  int dims[3], id, before;
  char name[32];
  types = (flags & NC_64BIT_DATA) != 0 ? 11 : 6;
  check(nc_create(path, NC_CLOBBER | flags, &file), "create");
  check(nc_def_dim(file, "t", NC_UNLIMITED, &dims[0]), "t");
  check(nc_def_dim(file, "y", ny, &dims[1]), "y");
  check(nc_def_dim(file, "x", nx, &dims[2]), "x");
  for (int type = 1; type <= types; ++type) {
    snprintf(name, sizeof name, "fixed%d", type);
    check(nc_def_var(file, name, type, 2, dims + 1, &id), name);
    snprintf(name, sizeof name, "record%d", type);
    check(nc_def_var(file, name, type, 3, dims, &id), name);
  }
  check(nc_def_var(file, "scalar", NC_INT, 0, dims, &id), "scalar");
  check(nc_def_var(file, "times", NC_DOUBLE, 1, dims, &id), "times");
  variables = id + 1;
  check(nc_set_fill(file, NC_FILL, &before), "fill");
  check(nc_enddef(file), "enddef");
}

static void choose(struct arguments *a, const struct call *c, int variable, int what, int number) {
  static size_t start[3], count[3];
  static ptrdiff_t stride[3], imap[3];
  int ndims = 0;
  nc_inq_varndims(file, variable, &ndims);
  const int d = ndims == 3 ? 1 : 0; /* of y */
  for (int i = 0; i < 3; ++i) start[i] = 0, count[i] = 1, stride[i] = 1, imap[i] = 1;
  if (ndims == 3 || ndims == 1) start[0] = (size_t)(what == further ? records + number % 3 : number % records);
  if (ndims >= 2) {
    start[d] = what == beyond ? ny + 1 : what == at_end ? ny : 2;
    count[d] = what == edge ? ny : what == nothing ? 0 : what == wide ? ny - 2 : 3;
    start[d + 1] = 1;
    count[d + 1] = 2;
    if (c->kind == 's' || c->kind == 'm') {
      stride[d + 1] = what == no_stride ? 0 : what == bad_stride ? -1 : 2;
      stride[d] = what == sparse ? 6 : 1;
    }
    imap[d] = 1; /* columns first */
    imap[d + 1] = (ptrdiff_t)count[d];
    imap[0] = (ptrdiff_t)(count[d] * count[d + 1]);
  } else if (what == beyond) {
    start[0] = 30;
  }
  a->start = what == no_start ? NULL : start;
  a->count = what == no_count ? NULL : count;
  a->stride = what == no_start ? NULL : stride;
  a->imap = what == no_count ? NULL : imap;
  a->variable = what == no_variable ? 999 : what == global ? NC_GLOBAL : variable;
}

/* C leaves open what becomes of reals that an integer cannot hold; netCDF does, of all values that do not fit. */
static int is_open_cast(int code, int stored) {
  return code != NC_NOERR && (filled || stored == NC_FLOAT || stored == NC_DOUBLE);
}

static int run(const struct call *c, const struct arguments *a, int what) {
  const int defines = c->kind == 't' && c->is_put && what != wide;
  if (defines) nc_redef(file);
  const int code = c->run(file, a);
  if (defines) check(nc_enddef(file), "enddef");
  return code;
}

static void attempt(int number, const struct call *c, int variable, int what) {
  static char data[most], name[32];
  struct arguments a = {0, NULL, NULL, 0, NULL, NULL, data, name, NC_INT};
  int stored = NC_INT;
  nc_inq_vartype(file, variable, &stored);
  choose(&a, c, variable, what, number);
  const int memory = c->type >= 0 ? c->type : memory_of(stored);
  memset(data, 7, sizeof data);
  if (c->is_put) store(memory, data, 3000, number % 40, what == range);
  if (c->kind == 't') {
    a.stored = what == edge ? 99 : stored;
    a.length = (size_t)(what == nothing ? 0 : 1 + number % 7);
    snprintf(name, sizeof name, what == beyond ? "a b/" : what == at_end ? "" : "a%d", stored);
    if (what == no_start) a.data = NULL;
  }
  const int code = run(c, &a, what);
  if (filled && c->is_put && code == NC_ERANGE) {
    store(memory, data, 3000, number % 40, 0);
    check(run(c, &a, what), "values that fit");
  }
  size_t length = 0;
  check(nc_inq_dimlen(file, 0, &length), "length");
  fprintf(out, "%s on %d, case %d: %d %zu %016llx\n", c->name, variable, what, code, length,
          (unsigned long long)hash(data, c->is_put || is_open_cast(code, stored) ? 0 : sizeof data));
  if (c->is_put && code == NC_NOERR && variable < variables && c->kind != 't') {
    memset(data, 0, sizeof data);
    nc_get_var(file, variable, data);
    fprintf(out, "  stands %016llx\n", (unsigned long long)hash(data, sizeof data));
  }
}

/* netCDF itself falls over these, or they say the same as others. */
static int leaves_out(const struct call *c, int what) {
  if (c->type == 1 && what == range) return 1; /* of negative bytes it leaves out those that go into NC_UINT */
  if (c->kind == 't') return what == no_start && !c->is_put;
  if (what == further && !c->is_put && c->kind == 'm') return 0;
  if ((what == no_stride || what == bad_stride || what == sparse) && c->kind != 's' && c->kind != 'm') return 1;
  if (c->kind == 'm' && what == no_start) return 1;
  if (c->kind == 'w' || c->kind == '1') return what == edge || what == no_count || what == nothing || what == wide;
  return 0;
}

static void ask(const struct question *q) {
  static long long answers[8][64];
  memset(answers, 0, sizeof answers);
  const int code = q->ask(file, "x", answers);
  int own = 0; /* numbers of files differ: the log shows whether a number is this one */
  for (int i = 0; i < 8; ++i)
    if ((int)answers[i][0] == file) answers[i][0] = 0, ++own;
  fprintf(out, "%s: %d %d %016llx\n", q->name, code, own, (unsigned long long)hash(answers, sizeof answers));
}

/* Every other value fits: those are put and got, independently of the others. */
static void put_those_that_fit(int type) {
  enum { n = ny * nx };
  double values[n], got[n] = {0};
  long long numbers[n];
  char name[32];
  int variable;
  snprintf(name, sizeof name, "fixed%d", type);
  check(nc_inq_varid(file, name, &variable), name);
  for (int i = 0; i < n; ++i) values[i] = i % 2 == 0 ? i : i % 4 == 1 ? 1e300 : -1e300;
  fprintf(out, "%s, reals: %d", name, nc_put_var_double(file, variable, values));
  check(nc_get_var_double(file, variable, got), name);
  for (int i = 0; i < n; i += 2) fprintf(out, " %g", got[i]);
  for (int i = 0; i < n; ++i) numbers[i] = i % 2 == 0 ? i : i % 4 == 1 ? 1ll << 62 : -(1ll << 62);
  fprintf(out, "\n%s, integers: %d", name, nc_put_var_longlong(file, variable, numbers));
  check(nc_get_var_double(file, variable, got), name);
  for (int i = 0; i < n; i += 2) fprintf(out, " %g", got[i]);
  fprintf(out, "\n");
  for (int i = 0; i < n; ++i) values[i] = i;
  check(nc_put_var_double(file, variable, values), name);
}

/* Whether fill values replace range errors: libraries can be built so, without a sign. */
static int tell_whether_filled(const char *path) {
  signed char stands = 0;
  make(path, 0);
  if (nc_put_var1_int(file, 0, (size_t[]){0, 0}, (int[]){1000}) != NC_ERANGE) return 1;
  check(nc_get_var1_schar(file, 0, (size_t[]){0, 0}, &stands), "get");
  check(nc_close(file), "close");
  puts(stands == NC_FILL_BYTE ? "filled" : "cut");
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 2) return tell_whether_filled(argv[1]);
  if (argc < 4) return 2;
  out = fopen(argv[2], "w");
  if (out == NULL) return 2;
  make(argv[1], (int)strtol(argv[3], NULL, 0));
  int all = 0;
  for (int i = 4; i < argc; ++i) all |= strcmp(argv[i], "all") == 0, filled |= strcmp(argv[i], "filled") == 0;
  const int count = (int)(sizeof calls / sizeof calls[0]);
  for (int i = 0; i < count; ++i)
    for (int v = 0; v < variables; ++v)
      for (int what = 0; what < cases; ++what) {
        if (leaves_out(&calls[i], what)) continue;
        if (!all && !(v == (i * 5) % variables && (what == good || what == 1 + i % (cases - 1))) &&
            !(what == range && v == (i * 3 + 1) % variables))
          continue;
        attempt(i, &calls[i], v, what);
      }
  for (int type = 1; type <= types; ++type)
    if (type != NC_CHAR) put_those_that_fit(type);
  for (size_t q = 0; q < sizeof questions / sizeof questions[0]; ++q) ask(&questions[q]);
  check(nc_close(file), "close");
  fclose(out);
  return 0;
}
