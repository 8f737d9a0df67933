/* Lists of puts and gets in one collective call. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "regions.h"

/* A list in C's terms. Owns its arrays, except the memory of the caller. */
typedef struct {
  int n;
  int *vars;
  svf_values *values;
  sv_source *sources; /* of puts */
  sv_target *targets; /* of gets: the same */
} list;

svf_memory svf_values_of(const CFI_cdesc_t *data) { return svf_memory_of(data); }

/* The i-th of a vector of any stride. */
static const void *element(const CFI_cdesc_t *vector, int64_t i) {
  return (const char *)vector->base_addr + (vector->rank == 0 ? 0 : i * vector->dim[0].sm);
}

static void free_list(list *all) {
  free(all->vars);
  free(all->values);
  free(all->sources);
  free(all->targets);
  *all = (list){.n = 0};
}

static const char *make_list(const CFI_cdesc_t *vars, const CFI_cdesc_t *values, list *to) {
  const int64_t n = svf_size(vars);
  *to = (list){.n = 0};
  if (svf_size(values) != n || n > INT_MAX)
    return "'values' has not one entry for each of 'vars'. Give each variable one, made with sv_values";
  const size_t room = (size_t)n + 1;
  *to = (list){(int)n, calloc(room, sizeof *to->vars), calloc(room, sizeof *to->values),
               calloc(room, sizeof *to->sources), calloc(room, sizeof *to->targets)};
  if (to->vars == NULL || to->values == NULL || to->sources == NULL || to->targets == NULL)
    return "there is no memory for the list";
  svf_gather(vars, n, to->vars);
  return NULL;
}

/* After `values` were found for each: NULL, or the error of the first that is refused. */
static const char *complete(const svf_file *file, list *all, char text[4 * SVF_TEXT]) {
  for (int i = 0; i < all->n; ++i) {
    const svf_values *const own = &all->values[i];
    char name[SV_MAX_NAME] = "";
    all->sources[i] = (sv_source){own->type, own->data, own->memory_strides};
    all->targets[i] = (sv_target){own->type, own->data, own->memory_strides};
    if (own->cause[0] == '\0') continue;
    if (sv_inq_var(file->handle, all->vars[i], name, NULL, NULL, NULL, NULL) != SV_OK) continue;
    snprintf(text, 4 * SVF_TEXT, "request %d of %d, variable '%s': %s. %s", i + 1, all->n, name, own->cause,
             own->remedy);
    return text;
  }
  return NULL;
}

/* An error here fails the call, which then has an empty list, on every rank. */
static void refuse(const svf_file *file, const char *problem, list *all) {
  if (problem == NULL) return;
  if (file->context != NULL) sv_refuse(file->context, SV_EINVAL, problem, NULL);
  all->n = 0;
}

static void boxes(int writes, const svf_file *file, const CFI_cdesc_t *vars, const svf_request *given,
                  const CFI_cdesc_t *values, int *ierr) {
  char text[4 * SVF_TEXT];
  svf_regions regions = {.n = 0};
  list all;
  const char *problem = make_list(vars, values, &all);
  if (problem == NULL) problem = svf_regions_of(file, all.n, all.vars, given, &regions);
  for (int i = 0; problem == NULL && i < all.n; ++i) {
    const int dims = svf_dims_of(file, all.vars[i]);
    svf_expect_counts(dims < 0 ? 0 : dims, regions.counts[i], element(values, i), &all.values[i]);
  }
  if (problem == NULL) problem = complete(file, &all, text);
  refuse(file, problem, &all);
  const int status = writes ? sv_mput_vara(file->handle, all.n, all.vars, regions.starts, regions.counts, all.sources)
                            : sv_mget_vara(file->handle, all.n, all.vars, regions.starts, regions.counts, all.targets);
  svf_free_regions(&regions);
  free_list(&all);
  svf_end(status, file->comm, ierr);
}

void svf_mput_vara(const svf_file *file, const CFI_cdesc_t *vars, const CFI_cdesc_t *starts, const CFI_cdesc_t *counts,
                   const CFI_cdesc_t *values, int *ierr) {
  boxes(1, file, vars, &(svf_request){starts, counts, NULL}, values, ierr);
}

void svf_mget_vara(const svf_file *file, const CFI_cdesc_t *vars, const CFI_cdesc_t *starts, const CFI_cdesc_t *counts,
                   const CFI_cdesc_t *values, int *ierr) {
  boxes(0, file, vars, &(svf_request){starts, counts, NULL}, values, ierr);
}

/* One entry for all of a list, or one for each. */
static int goes_with(const CFI_cdesc_t *entries, int n) {
  return entries == NULL || entries->rank == 0 || (entries->rank == 1 && svf_size(entries) == n);
}

static void find_fields(const svf_file *file, const CFI_cdesc_t *decomps, const CFI_cdesc_t *values, list *all,
                        const sv_decomp **on) {
  for (int i = 0; i < all->n; ++i) {
    const svf_decomp *const decomp = element(decomps, i);
    svf_expect_block(file, all->vars[i], decomp, element(values, i), &all->values[i]);
    on[i] = decomp->handle;
  }
}

static void fields(int writes, const svf_file *file, const CFI_cdesc_t *vars, const CFI_cdesc_t *decomps,
                   const CFI_cdesc_t *values, const CFI_cdesc_t *records, int *ierr) {
  char text[4 * SVF_TEXT];
  list all;
  const char *problem = make_list(vars, values, &all);
  const sv_decomp **const on = calloc((size_t)all.n + 1, sizeof *on);
  int64_t *const numbers = calloc((size_t)all.n + 1, sizeof *numbers);
  if (problem == NULL && (on == NULL || numbers == NULL)) problem = "there is no memory for the list";
  if (problem == NULL && (!goes_with(decomps, all.n) || !goes_with(records, all.n)))
    problem =
        "'decomps' or 'records' have neither one entry for all of 'vars' nor one for each. Pass a scalar, or a vector "
        "as "
        "long as 'vars'";
  if (problem == NULL) {
    find_fields(file, decomps, values, &all, on);
    svf_integers(records, all.n, numbers);
    for (int i = all.n - 1; i >= 0; --i) /* the first, which may be that of all, at last */
      numbers[i] = records == NULL ? SV_NO_RECORD : numbers[records->rank == 0 ? 0 : i] - 1;
    problem = complete(file, &all, text);
  }
  refuse(file, problem, &all);
  const int status = writes ? sv_mput(file->handle, all.n, all.vars, on, numbers, all.sources)
                            : sv_mget(file->handle, all.n, all.vars, on, numbers, all.targets);
  free(on);
  free(numbers);
  free_list(&all);
  svf_end(status, file->comm, ierr);
}

void svf_mput(const svf_file *file, const CFI_cdesc_t *vars, const CFI_cdesc_t *decomps, const CFI_cdesc_t *values,
              const CFI_cdesc_t *records, int *ierr) {
  fields(1, file, vars, decomps, values, records, ierr);
}

void svf_mget(const svf_file *file, const CFI_cdesc_t *vars, const CFI_cdesc_t *decomps, const CFI_cdesc_t *values,
              const CFI_cdesc_t *records, int *ierr) {
  fields(0, file, vars, decomps, values, records, ierr);
}

void svf_put_varn(const svf_file *file, int var, const CFI_cdesc_t *starts, const CFI_cdesc_t *counts,
                  const CFI_cdesc_t *data, int *ierr) {
  const svf_memory memory = svf_memory_of(data);
  svf_regions regions;
  svf_values own;
  svf_expect_regions(file, var, &(svf_request){starts, counts, NULL}, &memory, &regions, &own);
  svf_settle(file, &own);
  const int status = sv_put_varn(file->handle, var, regions.n, regions.starts, regions.counts, own.type, own.data);
  svf_free_regions(&regions);
  svf_end(status, file->comm, ierr);
}

void svf_get_varn(const svf_file *file, int var, const CFI_cdesc_t *starts, const CFI_cdesc_t *counts,
                  const CFI_cdesc_t *data, int *ierr) {
  const svf_memory memory = svf_memory_of(data);
  svf_regions regions;
  svf_values own;
  svf_expect_regions(file, var, &(svf_request){starts, counts, NULL}, &memory, &regions, &own);
  svf_settle(file, &own);
  const int status = sv_get_varn(file->handle, var, regions.n, regions.starts, regions.counts, own.type, own.data);
  svf_free_regions(&regions);
  svf_end(status, file->comm, ierr);
}
