#include "dataset.hpp"

#include "../face/open_files.hpp"

namespace sv::netcdf4 {

namespace {

/// Never destroyed: destructors of the program may still close files.
SharedOpenFiles<Dataset, sv_netcdf4_first> &open_files() {
  static auto *const open = new SharedOpenFiles<Dataset, sv_netcdf4_first>;
  return *open;
}

}  // namespace

Dataset *dataset(int ncid) noexcept { return open_files().find(ncid); }

Dataset &keep(std::unique_ptr<Dataset> made) { return open_files().keep(std::move(made)); }

void forget(const Dataset &own) { open_files().forget(own); }

std::vector<Dataset *> datasets() { return open_files().in_order(); }

int64_t Dataset::length(int dim) const {
  int64_t length = 0;
  return sv_inq_dim(file, dim, nullptr, &length) == SV_OK ? length : 0;
}

}  // namespace sv::netcdf4
