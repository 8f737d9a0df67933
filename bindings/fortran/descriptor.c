#include "descriptor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sverdrup/sverdrup.h"

int svf_type(const CFI_cdesc_t *descriptor) {
  static const struct {
    CFI_type_t fortran;
    int type;
  } known[] = {{CFI_type_int8_t, SV_BYTE},   {CFI_type_int16_t, SV_SHORT},    {CFI_type_int32_t, SV_INT},
               {CFI_type_int64_t, SV_INT64}, {CFI_type_signed_char, SV_BYTE}, {CFI_type_short, SV_SHORT},
               {CFI_type_int, SV_INT},       {CFI_type_long_long, SV_INT64},  {CFI_type_float, SV_FLOAT},
               {CFI_type_double, SV_DOUBLE}, {CFI_type_char, SV_CHAR}};
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (descriptor->type == known[i].fortran) return known[i].type;
  return 0;
}

int64_t svf_size(const CFI_cdesc_t *descriptor) {
  int64_t size = 1;
  for (int d = 0; d < descriptor->rank; ++d) size *= descriptor->dim[d].extent;
  return size;
}

const char *svf_array_of(const CFI_cdesc_t *descriptor, svf_array *array) {
  const int rank = descriptor->rank;
  array->type = svf_type(descriptor);
  array->data = descriptor->base_addr;
  array->ndims = rank;
  if (array->type == 0)
    return "the elements are of a type that netCDF does not know (logical, complex, quadruple or derived)";
  for (int d = 0; d < rank; ++d) {
    if (descriptor->dim[d].extent < 0) return "an assumed-size array, whose last extent is not known";
    array->extent[rank - 1 - d] = descriptor->dim[d].extent;
    array->stride[rank - 1 - d] = descriptor->dim[d].sm;
  }
  if (array->type == SV_CHAR && descriptor->elem_len != 1) {
    array->extent[rank] = (int64_t)descriptor->elem_len;
    array->stride[rank] = 1;
    array->ndims = rank + 1;
  }
  return NULL;
}

/* The standard names the type code of C's _Bool alone; those of other kinds differ among compilers. So: any code
 * without another meaning, as large as a logical may be. */
bool svf_is_logical(const CFI_cdesc_t *descriptor) {
  switch (descriptor->elem_len) {
    case 1:
    case 2:
    case 4:
    case 8:
      break;
    default:
      return false;
  }
  const CFI_type_t type = descriptor->type;
  return svf_type(descriptor) == 0 && type != CFI_type_float_Complex && type != CFI_type_struct &&
         type != CFI_type_cptr && type != CFI_type_other;
}

int64_t svf_bytes_of(int type) {
  return type == SV_CHAR || type == SV_BYTE ? 1 : type == SV_SHORT ? 2 : type == SV_INT || type == SV_FLOAT ? 4 : 8;
}

/* Dimensions of length 1 get the stride that makes the array dense, so that long rows stay long. */
bool svf_fit(const svf_array *array, int n, const int64_t *expected, int64_t *stride) {
  int at = array->ndims - 1;
  int64_t dense = svf_bytes_of(array->type);
  for (int d = n - 1; d >= 0; --d) {
    if (expected[d] != 1) {
      while (at >= 0 && array->extent[at] == 1) --at;
      if (at < 0 || array->extent[at] != expected[d]) return false;
      dense = array->stride[at--];
    }
    stride[d] = dense;
    dense *= expected[d];
  }
  while (at >= 0 && array->extent[at] == 1) --at;
  return at < 0;
}

const char *svf_shape_text(int n, const int64_t *extent, char text[SVF_TEXT]) {
  size_t used = (size_t)snprintf(text, SVF_TEXT, "(");
  for (int d = n - 1; d >= 0 && used < SVF_TEXT - 32; --d)
    used += (size_t)snprintf(text + used, SVF_TEXT - used, "%lld%s", (long long)extent[d], d > 0 ? ", " : "");
  snprintf(text + used, SVF_TEXT - used, ")");
  return text;
}

static int64_t integer_at(const char *at, size_t bytes) {
  int8_t one = 0;
  int16_t two = 0;
  int32_t four = 0;
  int64_t eight = 0;
  void *const room = bytes == 1   ? (void *)&one
                     : bytes == 2 ? (void *)&two
                     : bytes == 4 ? (void *)&four
                                  : (void *)&eight;
  memcpy(room, at, bytes);
  return bytes == 1 ? one : bytes == 2 ? two : bytes == 4 ? four : eight;
}

int64_t svf_integers(const CFI_cdesc_t *descriptor, int64_t room, int64_t *to) {
  if (descriptor == NULL) return 0;
  const int64_t size = svf_size(descriptor);
  CFI_index_t index[CFI_MAX_RANK] = {0};
  for (int64_t i = 0; i < size && i < room; ++i) {
    const char *at = descriptor->base_addr;
    for (int d = 0; d < descriptor->rank; ++d) at += index[d] * descriptor->dim[d].sm;
    to[i] = integer_at(at, descriptor->elem_len);
    for (int d = 0; d < descriptor->rank && ++index[d] == descriptor->dim[d].extent; ++d) index[d] = 0;
  }
  return size;
}

bool svf_store(const CFI_cdesc_t *descriptor, int64_t value) {
  if (descriptor == NULL) return true;
  if (descriptor->elem_len == sizeof value) {
    memcpy(descriptor->base_addr, &value, sizeof value);
    return true;
  }
  const int32_t narrow = (int32_t)value;
  memcpy(descriptor->base_addr, &narrow, sizeof narrow);
  return narrow == value;
}

static ptrdiff_t distance(const CFI_cdesc_t *descriptor) {
  return descriptor->rank == 0 ? (ptrdiff_t)descriptor->elem_len : descriptor->dim[0].sm;
}

void svf_gather(const CFI_cdesc_t *from, int64_t count, void *to) {
  for (int64_t i = 0; i < count; ++i)
    memcpy((char *)to + i * (int64_t)from->elem_len, (const char *)from->base_addr + i * distance(from),
           from->elem_len);
}

void svf_scatter(const void *from, int64_t count, const CFI_cdesc_t *to) {
  for (int64_t i = 0; i < count; ++i)
    memcpy((char *)to->base_addr + i * distance(to), (const char *)from + i * (int64_t)to->elem_len, to->elem_len);
}

char *svf_copy(const char *characters, size_t length) {
  while (length > 0 && characters[length - 1] == ' ') --length;
  char *const text = malloc(length + 1);
  if (text == NULL) return NULL;
  if (length > 0) memcpy(text, characters, length);
  text[length] = '\0';
  return text;
}

char *svf_text(const CFI_cdesc_t *value) { return value == NULL ? NULL : svf_copy(value->base_addr, value->elem_len); }

bool svf_pad(const char *text, size_t length, const CFI_cdesc_t *to) {
  if (to == NULL) return true;
  const size_t fits = length < to->elem_len ? length : to->elem_len;
  if (fits > 0) memcpy(to->base_addr, text, fits);
  if (to->elem_len > fits) memset((char *)to->base_addr + fits, ' ', to->elem_len - fits);
  return fits == length;
}
