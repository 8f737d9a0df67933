#include "real.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace sv::pnetcdf {

void *real_function(const char *name) {
  if (void *const next = dlsym(RTLD_NEXT, name)) return next;
  static void *const library = dlopen(SV_PNETCDF_SONAME, RTLD_LAZY | RTLD_LOCAL);
  if (void *const found = library == nullptr ? nullptr : dlsym(library, name)) return found;
  std::fprintf(stderr, "libsverdrup_pnetcdf: %s is left to PnetCDF, but " SV_PNETCDF_SONAME " cannot be loaded\n",
               name);
  std::abort();
}

}  // namespace sv::pnetcdf
