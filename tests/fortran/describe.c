/* Returns the results of bindings/fortran/descriptor.c for a descriptor to descriptors.f90. */
#include <string.h>

#include "descriptor.h"

/* Extents and strides (in bytes) slowest first; `offset` of the first element from `base`, in bytes. `known` is 0 for
 * arrays that cannot be passed on. */
typedef struct {
  int64_t known, type, ndims, offset, extent_and_stride[8];
} description;

description describe(const CFI_cdesc_t *data, const CFI_cdesc_t *base) {
  svf_array array;
  description found = {0};
  if (svf_array_of(data, &array) != NULL || array.ndims > 4) return found;
  found = (description){1, array.type, array.ndims, (const char *)array.data - (const char *)base->base_addr, {0}};
  for (int d = 0; d < array.ndims; ++d) {
    found.extent_and_stride[d] = array.extent[d];
    found.extent_and_stride[array.ndims + d] = array.stride[d];
  }
  return found;
}

/* Whether the array has the shape `expected` (slowest first); its strides then. */
int fit(const CFI_cdesc_t *data, int n, const int64_t *expected, int64_t *stride) {
  svf_array array;
  return svf_array_of(data, &array) == NULL && svf_fit(&array, n, expected, stride);
}

int integers(const CFI_cdesc_t *data, int room, int64_t *to) { return svf_integers(data, room, to); }

int store(const CFI_cdesc_t *to, int64_t value) { return svf_store(to, value); }

/* 1 if the shape is written as `expected`. */
int shape_is(const CFI_cdesc_t *data, const CFI_cdesc_t *expected) {
  svf_array array;
  char text[SVF_TEXT];
  if (svf_array_of(data, &array) != NULL) return 0;
  svf_shape_text(array.ndims, array.extent, text);
  return strlen(text) == expected->elem_len && memcmp(text, expected->base_addr, expected->elem_len) == 0;
}

int pad(const CFI_cdesc_t *text, const CFI_cdesc_t *to) { return svf_pad(text->base_addr, text->elem_len, to); }
