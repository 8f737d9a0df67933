#include "string_arrays.h"

#include <stdlib.h>
#include <string.h>

/* The element of an array of rank 0 or 1. */
static void at_element(const CFI_cdesc_t *values, int64_t i, CFI_cdesc_t *element) {
  memcpy(element, values, sizeof *element);
  element->rank = 0;
  element->base_addr = (char *)values->base_addr + (values->rank == 0 ? 0 : i * values->dim[0].sm);
}

void svf_free_strings(int64_t count, char **strings) {
  for (int64_t i = 0; strings != NULL && i < count; ++i) free(strings[i]);
  free(strings);
}

char **svf_strings_of(const CFI_cdesc_t *values) {
  const int64_t count = svf_size(values);
  char **const strings = calloc((size_t)count + 1, sizeof *strings);
  for (int64_t i = 0; strings != NULL && i < count; ++i) {
    CFI_CDESC_T(1) room;
    CFI_cdesc_t *const element = (CFI_cdesc_t *)&room;
    at_element(values, i, element);
    if ((strings[i] = svf_text(element)) != NULL) continue;
    svf_free_strings(i, strings);
    return NULL;
  }
  return strings;
}

int64_t svf_pad_strings(int64_t count, char *const *strings, const CFI_cdesc_t *values) {
  for (int64_t i = 0; i < count; ++i) {
    CFI_CDESC_T(1) room;
    CFI_cdesc_t *const element = (CFI_cdesc_t *)&room;
    at_element(values, i, element);
    if (!svf_pad(strings[i], strlen(strings[i]), element)) return i + 1;
  }
  return 0;
}
