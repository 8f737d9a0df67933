#include "dataset.hpp"

#include <mutex>

#include "../face/open_files.hpp"

namespace sv::netcdf4 {

namespace {

struct Open {
  std::mutex mutex;
  OpenFiles<Dataset, sv_netcdf4_first> files;
  std::vector<Dataset *> in_order;
};

/// Never destroyed: destructors of the program may still close files.
Open &all() {
  static auto *const open = new Open;
  return *open;
}

}  // namespace

Dataset *dataset(int ncid) noexcept {
  const std::scoped_lock lock(all().mutex);
  return all().files.find(ncid);
}

Dataset &keep(std::unique_ptr<Dataset> made) {
  Open &open = all();
  const std::scoped_lock lock(open.mutex);
  open.in_order.push_back(made.get());
  return open.files.keep(std::move(made));
}

void forget(const Dataset &own) {
  Open &open = all();
  const std::scoped_lock lock(open.mutex);
  std::erase(open.in_order, &own);
  open.files.take(own);
}

std::vector<Dataset *> datasets() {
  const std::scoped_lock lock(all().mutex);
  return all().in_order;
}

int64_t Dataset::length(int dim) const {
  int64_t length = 0;
  return sv_inq_dim(file, dim, nullptr, &length) == SV_OK ? length : 0;
}

}  // namespace sv::netcdf4
