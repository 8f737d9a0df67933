/* Several sub-arrays, as the columns of Fortran's starts and counts, in C's terms. */
#ifndef SVF_REGIONS_H
#define SVF_REGIONS_H

#include "values.h"

/* Owns its arrays: svf_free_regions. */
typedef struct {
  int n;
  int64_t *numbers;
  const int64_t **starts, **counts;
} svf_regions;

/* The columns of `given`, each of the next one of `n` variables, from whose number of dimensions on its rows mean
 * nothing. NULL, or their error; then there are no regions. */
const char *svf_regions_of(const svf_file *file, int n, const int *vars, const svf_request *given, svf_regions *to);

/* All columns, of one variable, with the values, which follow each other. Refuses these (see svf_values) where
 * something does not fit; then there are no regions. */
void svf_expect_regions(const svf_file *file, int var, const svf_request *given, const svf_memory *memory,
                        svf_regions *to, svf_values *values);
void svf_free_regions(svf_regions *regions);

#endif
