/* Every name of pnetcdf.h that moves values, with good and with wrong arguments, on variables of every type, of fixed
 * size and with records. Each rank writes what it sees into LOG.rank: codes, statuses, and a hash of the values. The
 * test runs it with the drop-in and without, and compares.
 *
 *   every_call FILE LOG FLAGS [all]      FLAGS of ncmpi_create; all: each name with each variable and case */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum timing { TOGETHER, ALONE, POSTED, BUFFERED };
struct arguments {
  int variable, number, *variables, *request;
  MPI_Offset *start, *count, *stride, *imap, **starts, **counts, **strides, **imaps, items, *item_counts;
  void *data, **buffers;
  MPI_Datatype datatype, *datatypes;
};
struct call {
  const char *name;
  int (*run)(int ncid, const struct arguments *a);
  char kind; /* w, 1, a, s, m, n */
  int is_put;
  enum timing timing;
  int many, type; /* type: in memory; -1: MPI describes it */
};
#include "table.c"

enum { ny = 12, nx = 5, records = 2, most = 4096, none = -1 };
enum {
  good,
  beyond,
  edge,
  negative,
  no_stride,
  no_start,
  no_count,
  no_variable,
  global,
  range,
  items,
  holes,
  nothing,
  alone_wrong,
  cases
};
static int rank, ranks, file, variables, types;
static FILE *out;

static const int wide_types[] = {NC_BYTE,  NC_CHAR,   NC_SHORT, NC_INT,   NC_FLOAT, NC_DOUBLE,
                                 NC_UBYTE, NC_USHORT, NC_UINT,  NC_INT64, NC_UINT64};
static MPI_Datatype memory_type(int type) { /* of TYPES in table.py */
  const MPI_Datatype all[] = {
      MPI_CHAR,           MPI_SIGNED_CHAR,   MPI_UNSIGNED_CHAR,     MPI_UNSIGNED_CHAR, MPI_SHORT,
      MPI_UNSIGNED_SHORT, MPI_INT,           MPI_UNSIGNED,          MPI_LONG,          MPI_FLOAT,
      MPI_DOUBLE,         MPI_LONG_LONG_INT, MPI_UNSIGNED_LONG_LONG};
  return all[type];
}
static int memory_of(int stored) { /* the type of TYPES of a stored type */
  const int all[] = {none, 1, 0, 4, 6, 9, 10, 2, 5, 7, 11, 12};
  return all[stored];
}

static void check(int code, const char *what) {
  if (code == NC_NOERR) return;
  fprintf(stderr, "every_call: %s: %s\n", what, ncmpi_strerror(code));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static uint64_t hash(const void *bytes, size_t length) {
  uint64_t h = 1469598103934665603u;
  for (size_t i = 0; i < length; ++i) h = (h ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
  return h;
}

#define STORE(kind, T)                                                                                             \
  case kind:                                                                                                       \
    for (int i = 0; i < n; ++i) ((T *)data)[i] = (T)(far ? far_value(i, sizeof(T), (T)-1 < (T)0) : base + i % 50); \
    break;
static double far_value(int i, size_t bytes, int is_signed) { /* in the type in memory, and out of smaller ones */
  if (i % 3 == 0) return i % 50;
  if (bytes == 1) return is_signed ? -7 - i % 100 : 140 + i % 100;
  if (bytes == 2) return i % 3 == 1 && is_signed ? -3000 - i : 32000 + i % 100;
  return i % 3 == 1 && is_signed ? -100000. - i : 2000000000. + i;
}
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
    STORE(9, float)
    STORE(10, double)
    STORE(11, long long)
    STORE(12, unsigned long long)
    default:
      break;
  }
}

static void make(const char *path, int flags) {
  int dims[3], id;
  char name[32];
  types = (flags & NC_64BIT_DATA) != 0 ? 11 : 6;
  check(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | flags, MPI_INFO_NULL, &file), "create");
  check(ncmpi_def_dim(file, "t", NC_UNLIMITED, &dims[0]), "t");
  check(ncmpi_def_dim(file, "y", ny, &dims[1]), "y");
  check(ncmpi_def_dim(file, "x", nx, &dims[2]), "x");
  for (int v = 0; v < types; ++v) {
    snprintf(name, sizeof name, "fixed%d", wide_types[v]);
    check(ncmpi_def_var(file, name, wide_types[v], 2, dims + 1, &id), name);
    snprintf(name, sizeof name, "record%d", wide_types[v]);
    check(ncmpi_def_var(file, name, wide_types[v], 3, dims, &id), name);
  }
  check(ncmpi_def_var(file, "scalar", NC_INT, 0, dims, &id), "scalar");
  variables = id + 1;
  check(ncmpi_enddef(file), "enddef");
  check(ncmpi_buffer_attach(file, 1 << 16), "buffer");
  for (int v = 0; v < variables; ++v) { /* each rank the same */
    char data[most];
    int stored, ndims;
    check(ncmpi_inq_var(file, v, NULL, &stored, &ndims, NULL, NULL), "inq_var");
    store(memory_of(stored), data, records * ny * nx, v, 0);
    MPI_Offset start[3] = {0}, count[3] = {ndims == 3 ? records : ny, ndims == 3 ? ny : nx, nx};
    check(ncmpi_put_vara_all(file, v, start, count, data, -1, memory_type(memory_of(stored))), "first values");
  }
}

/* A sub-array of a variable that no other rank has, or the whole. */
struct part {
  MPI_Offset start[3], count[3], stride[3], imap[3], start2[3], count2[3], *starts[2], *counts[2];
  int cells;
};
static void choose(struct part *p, const struct call *c, int variable, int what) {
  int ndims = 0;
  ncmpi_inq_varndims(file, variable, &ndims);
  const int d = ndims == 3 ? 1 : 0; /* of y */
  memset(p, 0, sizeof *p);
  p->start[0] = p->start2[0] = rank % records;
  for (int i = 0; i < 3; ++i) p->count[i] = p->count2[i] = p->stride[i] = 1;
  const int wrong = what != alone_wrong || rank == 0;
  p->start[d] = what == beyond || (what == alone_wrong && wrong) ? ny + 1 : 2 * rank;
  p->start2[d] = 2 * rank + 1;
  p->start2[d + 1] = 2;
  p->count[d] = what == edge ? ny + 1 : what == negative ? -1 : what == nothing ? 0 : c->kind == 'n' ? 1 : 2;
  p->count[d + 1] = 2;
  p->count2[d + 1] = 3;
  p->start[d + 1] = c->kind == 'n' ? 0 : 1;
  if (c->kind == 's' || c->kind == 'm') p->stride[d + 1] = what == no_stride ? 0 : 2;
  p->imap[d] = 1; /* columns first */
  p->imap[d + 1] = p->count[d] > 0 ? p->count[d] : 1;
  p->imap[0] = ndims == 3 ? 4 : p->imap[0];
  p->starts[0] = p->start;
  p->starts[1] = p->start2;
  p->counts[0] = p->count;
  p->counts[1] = p->count2;
  p->cells = c->kind == 'w' ? (ndims == 3 ? records : 1) * ny * nx : c->kind == '1' ? 1 : c->kind == 'n' ? 5 : 4;
  if (what == nothing && c->kind != 'n' && c->kind != 'w' && c->kind != '1') p->cells = 0;
  if (what == nothing && c->kind == 'n') p->cells = 3;
  if (ndims == 0) p->cells = 1;
}

/* The values of a variable, in its own type; the same on every rank. */
static uint64_t standing(int variable) {
  char data[most] = {0};
  int stored = NC_INT;
  if (ncmpi_inq_vartype(file, variable, &stored) != NC_NOERR) return 0;
  MPI_Barrier(MPI_COMM_WORLD); /* no call of PnetCDF waits for puts or gets of other ranks */
  const int code = ncmpi_get_var_all(file, variable, data, -1, memory_type(memory_of(stored)));
  MPI_Barrier(MPI_COMM_WORLD);
  return hash(data, sizeof data) + (uint64_t)code;
}

/* The other variable of a call on several: text, if the first one is. */
static int partner(int variable) {
  const int other = (variable + 2) % variables;
  int stored = NC_INT, other_stored = NC_INT;
  ncmpi_inq_vartype(file, variable, &stored);
  ncmpi_inq_vartype(file, other, &other_stored);
  if ((stored == NC_CHAR) == (other_stored == NC_CHAR)) return other;
  const int neighbour = variable + (variable % 2 == 0 ? 1 : -1);
  return neighbour < variables ? neighbour : variable;
}

/* Makes the call, in its mode; returns its code. `waited`: the results of the wait and of the request's status. */
static int make_call(const struct call *c, const struct arguments *a, int waited[2]) {
  if (c->timing == ALONE) check(ncmpi_begin_indep_data(file), "begin_indep_data");
  const int code = c->run(file, a);
  if (c->timing == ALONE) check(ncmpi_end_indep_data(file), "end_indep_data");
  if (c->timing == BUFFERED) memset(a->data, 3, most);
  if (c->timing == POSTED || c->timing == BUFFERED) waited[0] = ncmpi_wait_all(file, 1, a->request, &waited[1]);
  return code;
}

static void attempt(int number, const struct call *c, int variable, int what) {
  static char data[2][most];
  struct part parts[2];
  int request = NC_REQ_NULL, waited[2] = {0}, memory[2];
  const int both[2] = {variable, partner(variable)};
  int given_variables[2] = {what == no_variable ? 999 : what == global ? NC_GLOBAL : variable, both[1]};
  MPI_Datatype given[2];
  MPI_Offset counts[2];
  for (int i = 0; i < 2; ++i) {
    int stored = NC_INT;
    ncmpi_inq_vartype(file, both[i], &stored);
    choose(&parts[i], c, both[i], what);
    counts[i] = parts[i].cells;
    memory[i] = c->type >= 0 ? c->type : memory_of(stored);
    given[i] = memory_type(memory[i]);
    const int same = c->kind == 'w' || both[i] == variables - 1; /* on all ranks */
    memset(data[i], 7, most);
    if (c->is_put) store(memory[i], data[i], most / 16, number % 40 + (same ? 0 : rank), what == range);
  }
  if (what == items) ++counts[0];
  const int described = what == holes && parts[0].cells > 0;
  if (described) {
    MPI_Type_vector(parts[0].cells, 1, 2, given[0], &given[0]);
    MPI_Type_commit(&given[0]);
    counts[0] = 1;
  }
  MPI_Offset *starts[2] = {parts[0].start, parts[1].start}, *sizes[2] = {parts[0].count, parts[1].count};
  MPI_Offset *strides[2] = {parts[0].stride, parts[1].stride}, *imaps[2] = {parts[0].imap, parts[1].imap};
  void *buffers[2] = {data[0], data[1]};
  struct arguments a = {given_variables[0],
                        c->kind == 'n' || c->many ? 2 : 0,
                        given_variables,
                        &request,
                        parts[0].start,
                        parts[0].count,
                        parts[0].stride,
                        parts[0].imap,
                        starts,
                        sizes,
                        strides,
                        imaps,
                        counts[0],
                        counts,
                        data[0],
                        buffers,
                        given[0],
                        given};
  if (c->kind == 'n') a.starts = parts[0].starts, a.counts = parts[0].counts;
  if (what == no_start) a.start = NULL, a.starts[0] = NULL;
  if (what == no_count) a.count = NULL, a.counts[0] = NULL;
  const int code = make_call(c, &a, waited);
  if (described) MPI_Type_free(&given[0]);
  const uint64_t stands = c->is_put || c->many ? standing(both[0]) + standing(both[1]) : 0;
  fprintf(out, "%s on %d, case %d: %d %d %d %016llx %016llx\n", c->name, variable, what, code, waited[1], waited[0],
          (unsigned long long)hash(data, c->is_put ? 0 : sizeof data), (unsigned long long)stands);
}

/* PnetCDF itself falls over these: its varn and mput leave a request behind where values do not fit. */
static int leaves_out(const struct call *c, int what) {
  if (what == range && c->is_put && c->timing <= ALONE && (c->kind == 'n' || c->many)) return 1;
  if ((what == items || what == holes) && c->type >= 0) return 1;
  if (what == no_stride && c->kind != 's' && c->kind != 'm') return 1;
  if (c->kind == 'w' || c->kind == '1')
    return what == edge || what == negative || what == no_count || what == nothing ||
           (c->kind == 'w' && (what == beyond || what == no_start || what == alone_wrong));
  return 0;
}

int main(int argc, char **argv) {
  char path[256];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 4) MPI_Abort(MPI_COMM_WORLD, 1);
  snprintf(path, sizeof path, "%s.%d", argv[2], rank);
  out = fopen(path, "w");
  if (out == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  make(argv[1], (int)strtol(argv[3], NULL, 0));
  const int all = argc > 4;
  const int count = (int)(sizeof calls / sizeof calls[0]);
  for (int i = 0; i < count; ++i)
    for (int v = 0; v < variables; ++v)
      for (int what = 0; what < cases; ++what) {
        if (leaves_out(&calls[i], what) || (!all && ranks > 1 && i % 3 != 0)) continue;
        if (!all && !(v == (i * 5) % variables && (what == good || what == 1 + i % (cases - 1))) &&
            !(what == range && v == (i * 3 + 1) % variables))
          continue;
        attempt(i, &calls[i], v, what);
        fflush(out);
      }
  check(ncmpi_buffer_detach(file), "detach");
  check(ncmpi_close(file), "close");
  fclose(out);
  MPI_Finalize();
  return 0;
}
