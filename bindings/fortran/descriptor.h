/* The content of a Fortran descriptor in the terms of sverdrup.h: element type, extents and strides in C order. Pure:
 * no MPI, nothing kept. Fortran 2018, clause 18.4 and 18.5 (ISO_Fortran_binding.h). */
#ifndef SVF_DESCRIPTOR_H
#define SVF_DESCRIPTOR_H

#include <ISO_Fortran_binding.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SVF_TEXT 512 /* room for a message, with its final zero */

/* An array of Fortran, slowest dimension first; strides in bytes, negative ones included. The length of characters,
 * when it is not 1, is the fastest dimension. Borrows the caller's memory. */
typedef struct {
  int type;   /* SV_BYTE ... SV_INT64 */
  void *data; /* the first element */
  int ndims;
  int64_t extent[CFI_MAX_RANK + 1], stride[CFI_MAX_RANK + 1];
} svf_array;

/* The type of the elements, 0 for those that netCDF does not know (logical, complex, quadruple, derived). */
int svf_type(const CFI_cdesc_t *descriptor);

/* Whether the elements are logical, of any kind. */
bool svf_is_logical(const CFI_cdesc_t *descriptor);

/* Bytes of an element of such a type. */
int64_t svf_bytes_of(int type);

/* Number of elements; 1 for scalars, negative for assumed-size arrays. */
int64_t svf_size(const CFI_cdesc_t *descriptor);

/* NULL, or why the array cannot be passed on. */
const char *svf_array_of(const CFI_cdesc_t *descriptor, svf_array *array);

/* Whether the array has the shape `expected` (slowest first), dimensions of length 1 aside on both sides. Then `stride`
 * has the distance in bytes between neighbours in each of the `n` dimensions. */
bool svf_fit(const svf_array *array, int n, const int64_t *expected, int64_t *stride);

/* "(4, 6)": a shape as Fortran writes it, fastest first. Returns `text`. */
const char *svf_shape_text(int n, const int64_t *extent, char text[SVF_TEXT]);

/* At most `room` integers of any kind, in array-element order; returns how many there are. 0 for NULL. */
int64_t svf_integers(const CFI_cdesc_t *descriptor, int64_t room, int64_t *to);

/* Stores `value` in an integer of any kind (NULL: nowhere). False if it does not fit. */
bool svf_store(const CFI_cdesc_t *descriptor, int64_t value);

/* Between an array of rank 0 or 1, contiguous or not, and `count` contiguous elements. */
void svf_gather(const CFI_cdesc_t *from, int64_t count, void *to);
void svf_scatter(const void *from, int64_t count, const CFI_cdesc_t *to);

/* A copy of a character value without its trailing blanks, for the caller to free. NULL without memory or for NULL. */
char *svf_text(const CFI_cdesc_t *value);
char *svf_copy(const char *characters, size_t length);

/* Copies into a character variable, padded with blanks (NULL: nowhere). False if it is too short. */
bool svf_pad(const char *text, size_t length, const CFI_cdesc_t *to);

#endif
