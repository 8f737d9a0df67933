#include "dataset.hpp"

#include "../face/open_files.hpp"

namespace sv::netcdf4 {

namespace {

/// Never destroyed: destructors of the program may still close files.
using Files = SharedOpenFiles<Dataset, SV_NETCDF4_FIRST, sv_netcdf4_numbers>;
Files &open_files() {
  static auto *const open = new Files;
  return *open;
}

}  // namespace

Dataset *dataset(int ncid) noexcept { return open_files().find(ncid); }

Dataset &keep(std::unique_ptr<Dataset> made) { return open_files().keep(std::move(made)); }

void forget(const Dataset &own) { open_files().forget(own); }

std::vector<Dataset *> datasets() { return open_files().in_order(); }

}  // namespace sv::netcdf4
