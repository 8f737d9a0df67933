#include "regions.h"

#include <limits.h>
#include <stdlib.h>

static int64_t rows_of(const CFI_cdesc_t *columns) { return columns->dim[0].extent; }
static int64_t columns_of(const CFI_cdesc_t *columns) { return columns->dim[1].extent; }

static const char no_memory[] = "there is no memory for the list. Make it shorter";

void svf_free_regions(svf_regions *regions) {
  free(regions->numbers);
  free(regions->starts);
  free(regions->counts);
  *regions = (svf_regions){.n = 0};
}

/* Room for `n` columns, with the numbers of Fortran in it. */
static const char *copy(int n, const svf_request *given, svf_regions *to) {
  const int64_t size = rows_of(given->start) * n;
  *to = (svf_regions){.n = n};
  if (n == 0) return NULL;
  to->numbers = calloc((size_t)(2 * size + 1), sizeof *to->numbers);
  to->starts = calloc((size_t)n, sizeof *to->starts);
  to->counts = calloc((size_t)n, sizeof *to->counts);
  if (to->numbers == NULL || to->starts == NULL || to->counts == NULL) {
    svf_free_regions(to);
    return no_memory;
  }
  svf_integers(given->start, size, to->numbers);
  svf_integers(given->count, size, to->numbers + size);
  return NULL;
}

/* The first `dims` in the order of C, minus `base`. */
static void turn(int dims, int64_t *numbers, int base) {
  for (int d = 0; d < dims; ++d) numbers[d] -= base;
  for (int d = 0; d < dims / 2; ++d) {
    const int64_t kept = numbers[d];
    numbers[d] = numbers[dims - 1 - d];
    numbers[dims - 1 - d] = kept;
  }
}

static void turn_region(int dims, int64_t rows, int i, svf_regions *to) {
  int64_t *const start = to->numbers + i * rows, *const count = start + to->n * rows;
  turn(dims, start, 1);
  turn(dims, count, 0);
  to->starts[i] = start;
  to->counts[i] = count;
}

const char *svf_regions_of(const svf_file *file, int n, const int *vars, const svf_request *given, svf_regions *to) {
  const int64_t rows = rows_of(given->start);
  *to = (svf_regions){.n = 0};
  if (columns_of(given->start) != n || columns_of(given->count) != n || rows_of(given->count) != rows)
    return "'starts' and 'counts' have not one column for each variable of the list. Their shape is (dimensions, "
           "size(vars))";
  for (int i = 0; i < n; ++i)
    if (svf_dims_of(file, vars[i]) > rows)
      return "'starts' and 'counts' have fewer rows than a variable of the list has dimensions. The record dimension "
             "counts, too";
  const char *const problem = copy(n, given, to);
  for (int i = 0; problem == NULL && i < n; ++i) {
    const int dims = svf_dims_of(file, vars[i]);
    turn_region(dims < 0 ? 0 : dims, rows, i, to);
  }
  return problem;
}

static int64_t product(int n, const int64_t *counts) {
  int64_t cells = 1;
  for (int d = 0; d < n; ++d) cells *= counts[d];
  return cells;
}

void svf_expect_regions(const svf_file *file, int var, const svf_request *given, const svf_memory *memory,
                        svf_regions *to, svf_values *values) {
  const int dims = svf_dims_of(file, var);
  const int64_t columns = columns_of(given->start);
  int64_t cells = 0;
  *to = (svf_regions){.n = 0};
  *values = (svf_values){.type = SV_DOUBLE};
  if (dims < 0) return;
  if (rows_of(given->start) != dims || rows_of(given->count) != dims || columns_of(given->count) != columns)
    return svf_reject("'starts' and 'counts' have not one row per dimension of the variable, and one column per region",
                      "The record dimension counts, too", values);
  const char *const problem =
      columns > INT_MAX ? "there are more than 2147483647 regions" : copy((int)columns, given, to);
  if (problem != NULL) return svf_reject(problem, "Pass fewer at once", values);
  for (int i = 0; i < to->n; ++i) {
    turn_region(dims, dims, i, to);
    cells += product(dims, to->counts[i]);
  }
  svf_expect_row(cells, memory, values);
  if (values->cause[0] != '\0') svf_free_regions(to);
}
