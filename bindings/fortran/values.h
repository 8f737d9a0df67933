/* From Fortran's arrays to `type`, `data` and `memory_strides` of sverdrup.h. Errors that only Fortran can see, such
 * as an unsuitable array, are kept with the values until the call is made: a collective one then fails on every rank, a
 * local one here. */
#ifndef SVF_VALUES_H
#define SVF_VALUES_H

#include "binding.h"

/* The most dimensions of a variable whose values Fortran passes: its arrays have at most 15, and there is the record.
 */
#define SVF_MAX_DIMS 16

/* Memory of the caller. `problem`: NULL, or why it cannot be passed on; `type` is 0 if it was not set. */
typedef struct {
  svf_array array;
  const char *problem;
} svf_memory; /* type(sv_values_t) */

/* The values of one put or get. `empty`: this rank brings or takes nothing. `cause`: "", or why they are refused. */
typedef struct {
  int type, empty;
  void *data;
  int64_t memory_strides[SVF_MAX_DIMS];
  const char *remedy;
  char cause[3 * SVF_TEXT];
} svf_values;

/* A sub-array in C's order. `stride`: from one cell that is meant to the next. */
typedef struct {
  int64_t start[SVF_MAX_DIMS], count[SVF_MAX_DIMS], stride[SVF_MAX_DIMS];
} svf_box;

/* The same as Fortran gives it. `stride`: NULL for 1 everywhere. */
typedef struct {
  const CFI_cdesc_t *start, *count, *stride;
} svf_request;

svf_memory svf_memory_of(const CFI_cdesc_t *data);

/* Of a whole variable, or record of it. */
void svf_expect_whole(const svf_file *file, int var, const svf_memory *memory, svf_values *to);
/* This rank's block of a distributed field, with its halo. */
void svf_expect_block(const svf_file *file, int var, const svf_decomp *decomp, const svf_memory *memory,
                      svf_values *to);
/* A sub-array. */
svf_box svf_expect_box(const svf_file *file, int var, const svf_request *given, const svf_memory *memory,
                       svf_values *to);
/* An array of such counts, in C's order; anything where one is 0. */
void svf_expect_counts(int n, const int64_t *count, const svf_memory *memory, svf_values *to);
/* `count` values that lie in a row, in an array of any shape. */
void svf_expect_row(int64_t count, const svf_memory *memory, svf_values *to);
void svf_reject(const char *cause, const char *remedy, svf_values *to);
/* True, and the values are rejected, if a variable has more than SVF_MAX_DIMS dimensions. */
int svf_has_too_many_dims(int n, svf_values *to);

/* Number of the variable's dimensions; negative if there is no such variable, which the call itself then reports. */
int svf_dims_of(const svf_file *file, int var);
/* From 0; SV_NO_RECORD for an absent one. */
int64_t svf_record_of(const CFI_cdesc_t *record);

/* Of a collective call: where values are refused, the call that follows fails everywhere. */
void svf_settle(const svf_file *file, svf_values *values);
/* Of a local call: SV_OK, or the status with which it ends. */
int svf_refused(const svf_file *file, int var, const svf_values *values);

#endif
