#include "dataset.hpp"

#include <algorithm>

namespace sv::pnetcdf {

namespace {

// PnetCDF's own numbers are below its limit of open files, 1024.
constexpr int first_ncid = 1 << 20;

struct Open {
  std::mutex mutex;
  std::vector<std::unique_ptr<Dataset>> by_number;
  std::vector<Dataset *> in_order;
};

/// Never destroyed: destructors of the program may still close files.
Open &all() {
  static auto *const open = new Open;
  return *open;
}

}  // namespace

std::unique_lock<std::recursive_mutex> turn_of(int ranks) {
  static auto *const mutex = new std::recursive_mutex;  // files may be closed when the process ends
  return ranks == 1 ? std::unique_lock(*mutex) : std::unique_lock<std::recursive_mutex>();
}

Called::Called(int ncid) noexcept : own_(dataset(ncid)) {
  if (own_ != nullptr) turn_ = turn_of(own_->ranks);
}

Dataset *dataset(int ncid) noexcept {
  if (ncid < first_ncid) return nullptr;
  const std::scoped_lock lock(all().mutex);
  const auto &known = all().by_number;
  const auto number = static_cast<size_t>(ncid - first_ncid);
  return number < known.size() ? known[number].get() : nullptr;
}

Dataset &keep(std::unique_ptr<Dataset> made) {
  Open &open = all();
  const std::scoped_lock lock(open.mutex);
  const auto free = std::find(open.by_number.begin(), open.by_number.end(), nullptr);
  made->ncid = first_ncid + static_cast<int>(free - open.by_number.begin());
  open.in_order.push_back(made.get());
  return *(free == open.by_number.end() ? open.by_number.emplace_back(std::move(made)) : *free = std::move(made));
}

void forget(const Dataset &own) {
  Open &open = all();
  const std::scoped_lock lock(open.mutex);
  std::erase(open.in_order, &own);
  open.by_number[static_cast<size_t>(own.ncid - first_ncid)].reset();
}

std::vector<Dataset *> datasets() {
  const std::scoped_lock lock(all().mutex);
  return all().in_order;
}

int Dataset::variables() const {
  int count = 0;
  must(sv_inq(file, nullptr, &count, nullptr, nullptr));
  return count;
}

int64_t Dataset::records() const {
  int64_t count = 0;
  if (record_dim >= 0) must(sv_inq_dim(file, record_dim, nullptr, &count));
  return count;
}

bool Dataset::is_filled(int variable) const {
  int defined = 0;
  must(sv_inq_fill(file, variable, &defined, nullptr));
  return defined != 0 || fills[static_cast<size_t>(variable)];
}

const Shape &Dataset::shape(int variable) {
  refuse_if(variable == NC_GLOBAL, NC_EGLOBAL);
  const auto number = static_cast<size_t>(variable);
  if (variable >= 0 && number < shapes_.size() && shapes_[number].type != NC_NAT) return shapes_[number];
  refuse_if(variable < 0 || variable >= variables(), NC_ENOTVAR);
  shapes_.resize(std::max(shapes_.size(), number + 1));
  Shape made;
  int ndims = 0, dims[SV_MAX_DIMS];
  must(sv_inq_var(file, variable, nullptr, &made.type, &ndims, dims, nullptr));
  for (int d = 0; d < ndims; ++d) {
    must(sv_inq_dim(file, dims[d], nullptr, &made.lengths.emplace_back()));
    made.has_records = made.has_records || dims[d] == record_dim;
  }
  return shapes_[number] = made;
}

}  // namespace sv::pnetcdf
