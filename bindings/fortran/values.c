#include "values.h"

#include <string.h>

#include <stdio.h>

int svf_dims_of(const svf_file *file, int var) {
  int n = 0;
  return sv_inq_var(file->handle, var, NULL, NULL, &n, NULL, NULL) == SV_OK ? n : -1;
}

/* The lengths of the variable's dimensions, slowest first, without the record dimension. Negative if there is no such
 * variable, which the call itself then reports. */
static int slab_shape(sv_file *file, int var, int64_t shape[SVF_MAX_DIMS], svf_values *to) {
  int n = 0, record_dim = -1, dims[SV_MAX_DIMS], slab = 0;
  if (sv_inq(file, NULL, NULL, NULL, &record_dim) != SV_OK) return -1;
  if (sv_inq_var(file, var, NULL, NULL, &n, dims, NULL) != SV_OK) return -1;
  if (svf_has_too_many_dims(n, to)) return -1;
  for (int d = 0; d < n; ++d) {
    if (dims[d] == record_dim) continue;
    if (sv_inq_dim(file, dims[d], NULL, &shape[slab++]) != SV_OK) return -1;
  }
  return slab;
}

void svf_reject(const char *cause, const char *remedy, svf_values *to) {
  *to = (svf_values){.type = SV_DOUBLE, .empty = 1, .remedy = remedy};
  snprintf(to->cause, sizeof to->cause, "%s", cause);
}

int svf_has_too_many_dims(int n, svf_values *to) {
  if (n <= SVF_MAX_DIMS) return 0;
  svf_reject("the variable has more than 16 dimensions, and a Fortran array at most 15",
             "Put and get its values from C, C++ or Python", to);
  return 1;
}

static void reject_shape(const svf_array *array, int n, const int64_t *expected, svf_values *to) {
  char has[SVF_TEXT], takes[SVF_TEXT], cause[3 * SVF_TEXT];
  snprintf(cause, sizeof cause, "the array has the shape %s, where %s is expected",
           svf_shape_text(array->ndims, array->extent, has), svf_shape_text(n, expected, takes));
  svf_reject(cause,
             "Pass an array of that shape; for a distributed field, the block with its halo; arrays with another halo "
             "need a decomposition of their own",
             to);
}

svf_memory svf_memory_of(const CFI_cdesc_t *data) {
  svf_memory memory = {.problem = NULL};
  memory.problem = svf_array_of(data, &memory.array);
  return memory;
}

/* An array without an address, where this rank has values: nothing that it says of its shape counts. */
static int has_memory(const svf_memory *memory, svf_values *to) {
  if (memory->array.data != NULL) return 1;
  svf_reject("the array is not allocated (or a pointer without a target), on a rank that has values to pass",
             "Allocate it before the call", to);
  return 0;
}

/* The array as values; false if it was refused. */
static int take(const svf_memory *memory, svf_values *to) {
  *to = (svf_values){.type = memory->array.type, .data = memory->array.data};
  if (memory->problem != NULL) svf_reject(memory->problem, "Pass integers, reals or characters, with their shape", to);
  if (memory->problem == NULL && memory->array.type == 0)
    svf_reject("unset values", "Make them with sv_values(array)", to);
  return to->cause[0] == '\0';
}

void svf_expect_whole(const svf_file *file, int var, const svf_memory *memory, svf_values *to) {
  int64_t slab[SVF_MAX_DIMS];
  if (!take(memory, to)) return;
  const int n = slab_shape(file->handle, var, slab, to);
  if (n < 0 || !has_memory(memory, to)) return;
  if (!svf_fit(&memory->array, n, slab, to->memory_strides)) reject_shape(&memory->array, n, slab, to);
}

/* Where the grid's shape stands in the slab, this rank's arrays have their own dimensions, n - ndims + own_ndims in
 * all. -1 if it stands nowhere after `from`, which the call itself then reports. */
static int grid_in_slab(const svf_decomp *decomp, int from, int n, const int64_t *slab, int64_t *expected) {
  for (int first = from; first + decomp->ndims <= n; ++first) {
    int d = 0;
    while (d < decomp->ndims && slab[first + d] == decomp->shape[d]) ++d;
    if (d < decomp->ndims) continue;
    memcpy(expected, slab, (size_t)first * sizeof *slab);
    memcpy(expected + first, decomp->extent, (size_t)decomp->own_ndims * sizeof *slab);
    const int after = first + decomp->ndims;
    memcpy(expected + first + decomp->own_ndims, slab + after, (size_t)(n - after) * sizeof *slab);
    return first;
  }
  return -1;
}

void svf_expect_block(const svf_file *file, int var, const svf_decomp *decomp, const svf_memory *memory,
                      svf_values *to) {
  int64_t slab[SVF_MAX_DIMS], expected[SVF_MAX_DIMS], wanted[SVF_MAX_DIMS];
  if (!take(memory, to)) return;
  to->empty = decomp->empty;
  if (to->empty) to->data = NULL;
  const int n = slab_shape(file->handle, var, slab, to);
  if (decomp->empty || decomp->handle == NULL || n < 0 || !has_memory(memory, to)) return;
  int first = grid_in_slab(decomp, 0, n, slab, wanted);
  if (first < 0) return;
  const int own = n - decomp->ndims + decomp->own_ndims;
  for (; first >= 0; first = grid_in_slab(decomp, first + 1, n, slab, expected)) {
    grid_in_slab(decomp, first, n, slab, expected);
    if (svf_fit(&memory->array, own, expected, to->memory_strides)) return;
  }
  reject_shape(&memory->array, own, wanted, to);
}

static svf_box box_of(int n, const int64_t *start, const int64_t *count, const int64_t *stride) {
  svf_box box = {{0}, {0}, {0}};
  for (int d = 0; d < n; ++d) {
    box.start[d] = start[n - 1 - d] - 1;
    box.count[d] = count[n - 1 - d];
    box.stride[d] = stride == NULL ? 1 : stride[n - 1 - d];
  }
  return box;
}

void svf_expect_counts(int n, const int64_t *count, const svf_memory *memory, svf_values *to) {
  int empty = 0;
  for (int d = 0; d < n; ++d) empty = empty || count[d] == 0;
  if (svf_has_too_many_dims(n, to)) return;
  if (!take(memory, to) || empty || !has_memory(memory, to)) return;
  if (!svf_fit(&memory->array, n, count, to->memory_strides)) reject_shape(&memory->array, n, count, to);
}

svf_box svf_expect_box(const svf_file *file, int var, const svf_request *given, const svf_memory *memory,
                       svf_values *to) {
  int64_t start[SVF_MAX_DIMS], count[SVF_MAX_DIMS], stride[SVF_MAX_DIMS];
  const int n = svf_dims_of(file, var);
  *to = (svf_values){.type = SV_DOUBLE};
  if (n < 0 || svf_has_too_many_dims(n, to)) return box_of(0, NULL, NULL, NULL);
  if (svf_integers(given->start, SVF_MAX_DIMS, start) != n || svf_integers(given->count, SVF_MAX_DIMS, count) != n ||
      (given->stride != NULL && svf_integers(given->stride, SVF_MAX_DIMS, stride) != n)) {
    svf_reject("'start' and 'count' (and 'stride') have not one entry per dimension of the variable",
               "The record dimension counts, too", to);
    return box_of(0, NULL, NULL, NULL);
  }
  const svf_box box = box_of(n, start, count, given->stride == NULL ? NULL : stride);
  svf_expect_counts(n, box.count, memory, to);
  return box;
}

void svf_expect_row(int64_t count, const svf_memory *memory, svf_values *to) {
  const svf_array *const array = &memory->array;
  int64_t size = 1, stride[CFI_MAX_RANK + 1], elements = 1;
  if (!take(memory, to) || count == 0 || !has_memory(memory, to)) return;
  for (int d = 0; d < array->ndims; ++d) size *= array->extent[d];
  if (size != count) return reject_shape(array, 1, &count, to);
  if (!svf_fit(array, array->ndims, array->extent, stride)) return reject_shape(array, 1, &count, to);
  for (int d = array->ndims - 1; d >= 0; --d) {
    if (stride[d] != elements * svf_bytes_of(array->type))
      return svf_reject("the values do not follow each other in memory", "Pass a whole array, not a section of one",
                        to);
    elements *= array->extent[d];
  }
}

int64_t svf_record_of(const CFI_cdesc_t *record) {
  int64_t number = 0;
  svf_integers(record, 1, &number);
  return record == NULL ? SV_NO_RECORD : number - 1;
}

void svf_settle(const svf_file *file, svf_values *values) {
  if (values->cause[0] == '\0') return;
  if (file->context != NULL) sv_refuse(file->context, SV_EINVAL, values->cause, values->remedy);
  values->cause[0] = '\0';
}

int svf_refused(const svf_file *file, int var, const svf_values *values) {
  char variable[SV_MAX_NAME] = "";
  if (values->cause[0] == '\0' || sv_inq_var(file->handle, var, variable, NULL, NULL, NULL, NULL) != SV_OK)
    return SV_OK; /* which the call itself reports */
  return svf_fail(SV_EINVAL, "variable '%s': %s. %s", variable, values->cause, values->remedy);
}
