#include "dataset.hpp"

#include <algorithm>

namespace sv::pnetcdf {

namespace {

// PnetCDF's own numbers are below its limit of open files, 1024.
constexpr int first_ncid = 1 << 20;

struct Open {
  std::vector<std::unique_ptr<Dataset>> by_number;
  std::vector<Dataset *> in_order;
};

Open &all() {
  static Open open;
  return open;
}

}  // namespace

Dataset *dataset(int ncid) noexcept {
  const auto &known = all().by_number;
  const auto number = static_cast<size_t>(ncid - first_ncid);
  return ncid >= first_ncid && number < known.size() ? known[number].get() : nullptr;
}

Dataset &keep(std::unique_ptr<Dataset> made) {
  Open &open = all();
  const auto free = std::find(open.by_number.begin(), open.by_number.end(), nullptr);
  made->ncid = first_ncid + static_cast<int>(free - open.by_number.begin());
  open.in_order.push_back(made.get());
  return *(free == open.by_number.end() ? open.by_number.emplace_back(std::move(made)) : *free = std::move(made));
}

void forget(const Dataset &own) {
  Open &open = all();
  std::erase(open.in_order, &own);
  open.by_number[static_cast<size_t>(own.ncid - first_ncid)].reset();
}

std::vector<Dataset *> datasets() { return all().in_order; }

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
