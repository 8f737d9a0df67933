/* Arrays of strings: Fortran's, of one length and padded with blanks, and C's. */
#ifndef SVF_STRING_ARRAYS_H
#define SVF_STRING_ARRAYS_H

#include "binding.h"

/* Copies of the elements without their trailing blanks, as many as the array has; NULL: no memory. */
char **svf_strings_of(const CFI_cdesc_t *values);
void svf_free_strings(int64_t count, char **strings);
/* Copies C's strings into the first elements. Returns the number, from 1, of the first one that does not fit, or 0. */
int64_t svf_pad_strings(int64_t count, char *const *strings, const CFI_cdesc_t *values);

#endif
