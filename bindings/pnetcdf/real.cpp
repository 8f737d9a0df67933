#include "real.hpp"

#include <cstdio>
#include <cstdlib>

namespace sv::pnetcdf {

LoadedLibraries &libraries() {
  static auto *const own = new LoadedLibraries({"ncmpi_open", "ncmpi_", SV_PNETCDF_SONAME});
  return *own;
}

void *real_function(const char *name, const void *caller) {
  if (void *const found = libraries().find(name, caller)) return found;
  std::fprintf(stderr,
               "libsverdrup_pnetcdf: %s is left to PnetCDF, but the PnetCDF library that the program has, "
               "or " SV_PNETCDF_SONAME ", has no such function or cannot be loaded\n",
               name);
  std::abort();
}

}  // namespace sv::pnetcdf
