#include "real.hpp"

namespace sv::pnetcdf {

LoadedLibraries &libraries() {
  static auto *const own =
      new LoadedLibraries({"ncmpi_open", "ncmpi_", SV_PNETCDF_SONAME, "PnetCDF", "libsverdrup_pnetcdf"});
  return *own;
}

}  // namespace sv::pnetcdf
