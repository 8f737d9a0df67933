/* Variables of strings: collective, all of it. */
#include <stdlib.h>
#include <string.h>

#include "string_arrays.h"
#include "values.h"

/* The cells of a variable, or of one record of it; -1: there is no such variable, which the call itself reports. */
static int64_t whole_cells(const svf_file *file, int var, int has_record) {
  int n = 0, dims[SV_MAX_DIMS];
  int64_t cells = 1, length = 0;
  if (sv_inq_var(file->handle, var, NULL, NULL, &n, dims, NULL) != SV_OK) return -1;
  for (int d = has_record ? 1 : 0; d < n; ++d)
    if (sv_inq_dim(file->handle, dims[d], NULL, &length) == SV_OK) cells *= length;
  return cells;
}

static int64_t box_cells(int n, const svf_box *box) {
  int64_t cells = n < 0 ? -1 : 1;
  for (int d = 0; d < n; ++d) cells *= box->count[d];
  return cells;
}

/* Refuses an array of another number of strings: the call that follows fails on every rank. */
static void expect_strings(const svf_file *file, int64_t cells, const CFI_cdesc_t *values, svf_values *own) {
  if (own->cause[0] == '\0' && cells >= 0 && svf_size(values) != cells)
    svf_reject("the array has not one string for each cell", "Pass a vector of as many strings", own);
  svf_settle(file, own);
}

static svf_box box_of(const svf_file *file, int var, const svf_request *given, svf_values *own) {
  int64_t start[SVF_MAX_DIMS], count[SVF_MAX_DIMS];
  svf_box box = {{0}, {0}, {0}};
  const int n = svf_dims_of(file, var);
  if (n < 0 || svf_has_too_many_dims(n, own)) return box;
  if (svf_integers(given->start, SVF_MAX_DIMS, start) != n || svf_integers(given->count, SVF_MAX_DIMS, count) != n) {
    svf_reject("'start' and 'count' have not one entry per dimension of the variable",
               "The record dimension counts, too", own);
    return box;
  }
  for (int d = 0; d < n; ++d) {
    box.start[d] = start[n - 1 - d] - 1;
    box.count[d] = count[n - 1 - d];
  }
  return box;
}

/* Which cells a call means: those of a record, or, if `box` is not NULL, of a part. */
typedef struct {
  int var;
  int64_t record, cells;
  const svf_box *box;
} part;

static void put(const svf_file *file, const part *at, const CFI_cdesc_t *values, int *ierr) {
  const int64_t given = svf_size(values);
  char **const strings = svf_strings_of(values);
  const char *const *const all = (const char *const *)strings;
  svf_end(at->box == NULL ? sv_put_var_string(file->handle, at->var, at->record, all)
                          : sv_put_vara_string(file->handle, at->var, at->box->start, at->box->count, all),
          file->comm, ierr);
  svf_free_strings(given, strings);
}

static int unfitting(const svf_file *file, int var, int64_t number, const char *string) {
  char variable[SV_MAX_NAME] = "";
  sv_inq_var(file->handle, var, variable, NULL, NULL, NULL, NULL);
  return svf_fail(SV_EINVAL, "variable '%s': its string %lld of %lld characters does not fit. Pass longer ones",
                  variable, (long long)number, (long long)strlen(string));
}

static void get(const svf_file *file, const part *at, const CFI_cdesc_t *values, int *ierr) {
  const int64_t count = at->cells < 0 ? 0 : at->cells;
  char **const strings = calloc((size_t)count + 1, sizeof *strings);
  int status = at->box == NULL ? sv_get_var_string(file->handle, at->var, at->record, strings)
                               : sv_get_vara_string(file->handle, at->var, at->box->start, at->box->count, strings);
  const int64_t wrong = status == SV_OK ? svf_pad_strings(count, strings, values) : 0;
  if (wrong > 0) status = unfitting(file, at->var, wrong, strings[wrong - 1]);
  svf_end(status, file->comm, ierr);
  if (strings != NULL) sv_free_string(count, strings);
  free(strings);
}

void svf_put_var_string(const svf_file *file, int var, const CFI_cdesc_t *values, const CFI_cdesc_t *record,
                        int *ierr) {
  svf_values own = {.type = SV_STRING};
  const part at = {var, svf_record_of(record), whole_cells(file, var, record != NULL), NULL};
  expect_strings(file, at.cells, values, &own);
  put(file, &at, values, ierr);
}

void svf_get_var_string(const svf_file *file, int var, const CFI_cdesc_t *values, const CFI_cdesc_t *record,
                        int *ierr) {
  svf_values own = {.type = SV_STRING};
  const part at = {var, svf_record_of(record), whole_cells(file, var, record != NULL), NULL};
  expect_strings(file, at.cells, values, &own);
  get(file, &at, values, ierr);
}

void svf_put_vara_string(const svf_file *file, int var, const CFI_cdesc_t *start, const CFI_cdesc_t *count,
                         const CFI_cdesc_t *values, int *ierr) {
  svf_values own = {.type = SV_STRING};
  const svf_box box = box_of(file, var, &(svf_request){start, count, NULL}, &own);
  const part at = {var, SV_NO_RECORD, box_cells(svf_dims_of(file, var), &box), &box};
  expect_strings(file, at.cells, values, &own);
  put(file, &at, values, ierr);
}

void svf_get_vara_string(const svf_file *file, int var, const CFI_cdesc_t *start, const CFI_cdesc_t *count,
                         const CFI_cdesc_t *values, int *ierr) {
  svf_values own = {.type = SV_STRING};
  const svf_box box = box_of(file, var, &(svf_request){start, count, NULL}, &own);
  const part at = {var, SV_NO_RECORD, box_cells(svf_dims_of(file, var), &box), &box};
  expect_strings(file, at.cells, values, &own);
  get(file, &at, values, ierr);
}
