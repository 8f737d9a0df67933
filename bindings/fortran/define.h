/* The common parts of definitions. */
#ifndef SVF_DEFINE_H
#define SVF_DEFINE_H

#include "binding.h"

/* Whether this is one value with the bits of one of `type`: Fortran has no unsigned kinds. */
int svf_is_one(const CFI_cdesc_t *value, int type);

#endif
