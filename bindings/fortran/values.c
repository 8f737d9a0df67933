/* Writing and reading: from a descriptor to `type`, `data` and `stride` of sverdrup.h. What only Fortran can see (the
 * shape of the array does not fit) is refused, so that every rank learns of it and nobody waits. */
#include <stdio.h>

#include "binding.h"

/* An argument list of one call, in C's terms. `empty`: this rank brings or takes nothing. */
typedef struct {
  int type, empty;
  void *data;
  int64_t stride[SV_MAX_DIMS];
} values;

/* The lengths of the variable's dimensions, slowest first, without the record dimension. Negative if there is no such
 * variable, which the call itself then reports. */
static int slab_shape(sv_file *file, int var, int64_t *shape) {
  int n = 0, record_dim = -1, dims[SV_MAX_DIMS], slab = 0;
  if (sv_inq(file, NULL, NULL, NULL, &record_dim) != SV_OK) return -1;
  if (sv_inq_var(file, var, NULL, NULL, &n, dims, NULL) != SV_OK) return -1;
  for (int d = 0; d < n; ++d) {
    if (dims[d] == record_dim) continue;
    if (sv_inq_dim(file, dims[d], NULL, &shape[slab++]) != SV_OK) return -1;
  }
  return slab;
}

/* Refuses on behalf of this rank; the call that follows fails everywhere. */
static void refuse(const svf_file *file, const char *cause, const char *remedy, values *to) {
  if (file->context != NULL) sv_refuse(file->context, SV_EINVAL, cause, remedy);
  *to = (values){.type = SV_DOUBLE, .empty = 1};
}

static void refuse_shape(const svf_file *file, const svf_array *array, int n, const int64_t *expected, values *to) {
  char has[SVF_TEXT], takes[SVF_TEXT], cause[3 * SVF_TEXT];
  snprintf(cause, sizeof cause, "the array has the shape %s, where %s is expected",
           svf_shape_text(array->ndims, array->extent, has), svf_shape_text(n, expected, takes));
  refuse(file, cause, "Pass an array of that shape; for a distributed field, the block with its halo", to);
}

/* The array as values; false if it was refused. */
static int take(const svf_file *file, const CFI_cdesc_t *data, svf_array *array, values *to) {
  const char *const cause = svf_array_of(data, array);
  *to = (values){.type = array->type, .data = array->data};
  if (cause != NULL) refuse(file, cause, "Pass integers, reals or characters, with their shape", to);
  return cause == NULL;
}

/* `expected`: the shape of the array, unless n is negative. */
static void expect(const svf_file *file, const CFI_cdesc_t *data, int n, const int64_t *expected, values *to) {
  svf_array array;
  if (!take(file, data, &array, to) || n < 0) return;
  if (!svf_fit(&array, n, expected, to->stride)) refuse_shape(file, &array, n, expected, to);
}

/* Where the grid's shape stands in the slab, its dimensions are as long as this rank's arrays. -1 if it stands nowhere
 * after `from`, which the call itself then reports. */
static int grid_in_slab(const svf_decomp *decomp, int from, int n, const int64_t *slab, int64_t *expected) {
  for (int first = from; first + decomp->ndims <= n; ++first) {
    int d = 0;
    while (d < decomp->ndims && slab[first + d] == decomp->shape[d]) ++d;
    if (d < decomp->ndims) continue;
    for (int each = 0; each < n; ++each)
      expected[each] = each < first || each >= first + decomp->ndims ? slab[each] : decomp->extent[each - first];
    return first;
  }
  return -1;
}

/* This rank's block of a distributed field. */
static void expect_block(const svf_file *file, int var, const svf_decomp *decomp, const CFI_cdesc_t *data, values *to) {
  int64_t slab[SV_MAX_DIMS], expected[SV_MAX_DIMS], wanted[SV_MAX_DIMS];
  svf_array array;
  if (!take(file, data, &array, to)) return;
  to->empty = decomp->empty;
  const int n = slab_shape(file->handle, var, slab);
  if (decomp->empty || decomp->handle == NULL || n < 0) return;
  int first = grid_in_slab(decomp, 0, n, slab, wanted);
  if (first < 0) return;
  for (; first >= 0; first = grid_in_slab(decomp, first + 1, n, slab, expected)) {
    grid_in_slab(decomp, first, n, slab, expected);
    if (svf_fit(&array, n, expected, to->stride)) return;
  }
  refuse_shape(file, &array, n, wanted, to);
}

static int64_t record_of(const CFI_cdesc_t *record) {
  int64_t number = 0;
  svf_integers(record, 1, &number);
  return record == NULL ? SV_NO_RECORD : number - 1;
}

void svf_put(const svf_file *file, int var, const svf_decomp *decomp, const CFI_cdesc_t *data,
             const CFI_cdesc_t *record, int *ierr) {
  values own;
  expect_block(file, var, decomp, data, &own);
  svf_end(
      sv_put(file->handle, var, decomp->handle, record_of(record), own.type, own.empty ? NULL : own.data, own.stride),
      file->comm, ierr);
}

void svf_get(const svf_file *file, int var, const svf_decomp *decomp, const CFI_cdesc_t *data,
             const CFI_cdesc_t *record, int *ierr) {
  values own;
  expect_block(file, var, decomp, data, &own);
  svf_end(
      sv_get(file->handle, var, decomp->handle, record_of(record), own.type, own.empty ? NULL : own.data, own.stride),
      file->comm, ierr);
}

void svf_put_var(const svf_file *file, int var, const CFI_cdesc_t *data, const CFI_cdesc_t *record, int *ierr) {
  int64_t slab[SV_MAX_DIMS];
  values own;
  expect(file, data, slab_shape(file->handle, var, slab), slab, &own);
  svf_end(sv_put_var(file->handle, var, record_of(record), own.type, own.data, own.stride), file->comm, ierr);
}

void svf_get_var(const svf_file *file, int var, const CFI_cdesc_t *data, const CFI_cdesc_t *record, int *ierr) {
  int64_t slab[SV_MAX_DIMS];
  values own;
  expect(file, data, slab_shape(file->handle, var, slab), slab, &own);
  svf_end(sv_get_var(file->handle, var, record_of(record), own.type, own.data, own.stride), file->comm, ierr);
}

typedef struct {
  int64_t start[SV_MAX_DIMS], count[SV_MAX_DIMS], apart[SV_MAX_DIMS];
} box;

typedef struct {
  const CFI_cdesc_t *start, *count, *apart; /* apart: NULL for 1 everywhere */
} request;

/* A sub-array in C's order, and the array that goes with it. */
static box expect_box(const svf_file *file, int var, const request *given, const CFI_cdesc_t *data, values *to) {
  int64_t starts[SV_MAX_DIMS], counts[SV_MAX_DIMS], aparts[SV_MAX_DIMS];
  box own = {{0}, {0}, {0}};
  int n = 0;
  *to = (values){.type = SV_DOUBLE};
  if (sv_inq_var(file->handle, var, NULL, NULL, &n, NULL, NULL) != SV_OK) return own;
  if (svf_integers(given->start, SV_MAX_DIMS, starts) != n || svf_integers(given->count, SV_MAX_DIMS, counts) != n ||
      (given->apart != NULL && svf_integers(given->apart, SV_MAX_DIMS, aparts) != n)) {
    refuse(file, "'start' and 'count' (and 'apart') have not one entry per dimension of the variable",
           "The record dimension counts, too", to);
    return own;
  }
  int empty = 0;
  for (int d = 0; d < n; ++d) {
    own.start[d] = starts[n - 1 - d] - 1;
    own.count[d] = counts[n - 1 - d];
    own.apart[d] = given->apart == NULL ? 1 : aparts[n - 1 - d];
    empty = empty || own.count[d] == 0;
  }
  svf_array array;
  if (!take(file, data, &array, to) || empty) return own;
  if (!svf_fit(&array, n, own.count, to->stride)) refuse_shape(file, &array, n, own.count, to);
  return own;
}

void svf_copy_var(const svf_file *from, int from_var, const svf_file *to, int to_var, const CFI_cdesc_t *from_record,
                  const CFI_cdesc_t *to_record, int *ierr) {
  const int status =
      sv_copy_var(from->handle, from_var, record_of(from_record), to->handle, to_var, record_of(to_record));
  svf_end(status, to->comm, ierr);
}

static void put_box(const svf_file *file, int var, const request *given, const CFI_cdesc_t *data, int *ierr) {
  values own;
  const box at = expect_box(file, var, given, data, &own);
  svf_end(sv_put_vars(file->handle, var, at.start, at.count, at.apart, own.type, own.data, own.stride), file->comm,
          ierr);
}

static void get_box(const svf_file *file, int var, const request *given, const CFI_cdesc_t *data, int *ierr) {
  values own;
  const box at = expect_box(file, var, given, data, &own);
  svf_end(sv_get_vars(file->handle, var, at.start, at.count, at.apart, own.type, own.data, own.stride), file->comm,
          ierr);
}

void svf_put_vara(const svf_file *file, int var, const CFI_cdesc_t *start, const CFI_cdesc_t *count,
                  const CFI_cdesc_t *data, int *ierr) {
  put_box(file, var, &(request){start, count, NULL}, data, ierr);
}

void svf_get_vara(const svf_file *file, int var, const CFI_cdesc_t *start, const CFI_cdesc_t *count,
                  const CFI_cdesc_t *data, int *ierr) {
  get_box(file, var, &(request){start, count, NULL}, data, ierr);
}

void svf_put_vars(const svf_file *file, int var, const CFI_cdesc_t *start, const CFI_cdesc_t *count,
                  const CFI_cdesc_t *apart, const CFI_cdesc_t *data, int *ierr) {
  put_box(file, var, &(request){start, count, apart}, data, ierr);
}

void svf_get_vars(const svf_file *file, int var, const CFI_cdesc_t *start, const CFI_cdesc_t *count,
                  const CFI_cdesc_t *apart, const CFI_cdesc_t *data, int *ierr) {
  get_box(file, var, &(request){start, count, apart}, data, ierr);
}
