#include "dataset.hpp"

#include <algorithm>

#include "../face/open_files.hpp"
#include "names.hpp"

namespace sv::pnetcdf {

namespace {

// PnetCDF's own numbers are below its limit of open files, 1024.
constexpr int first_ncid = 1 << 20;

/// Never destroyed: destructors of the program may still close files.
SharedOpenFiles<Dataset, first_ncid> &open_files() {
  static auto *const open = new SharedOpenFiles<Dataset, first_ncid>;
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

Dataset *dataset(int ncid) noexcept { return open_files().find(ncid); }

Dataset &keep(std::unique_ptr<Dataset> made) { return open_files().keep(std::move(made)); }

void forget(const Dataset &own) { open_files().forget(own); }

std::vector<Dataset *> datasets() { return open_files().in_order(); }

int Dataset::dim_count() const {
  int count = 0;
  must(sv_inq(file, &count, nullptr, nullptr, nullptr));
  return count;
}

int Dataset::variable_count() const {
  int count = 0;
  must(sv_inq(file, nullptr, &count, nullptr, nullptr));
  return count;
}

int Dataset::attribute_count(int variable) const {
  int count = 0;
  must(variable == NC_GLOBAL ? sv_inq(file, nullptr, nullptr, &count, nullptr)
                             : sv_inq_var(file, variable, nullptr, nullptr, nullptr, nullptr, &count));
  return count;
}

int Dataset::dim_named(const char *name) const {
  check_name(name);
  int found = -1;
  refuse_if(sv_inq_dimid(file, name, &found) != SV_OK, NC_EBADDIM);
  return found;
}

std::string Dataset::dim_name(int dim) const {
  char name[SV_MAX_NAME];
  refuse_if(dim < 0 || sv_inq_dim(file, dim, name, nullptr) != SV_OK, NC_EBADDIM);
  return name;
}

int64_t Dataset::dim_length(int dim) const {
  int64_t length = 0;
  refuse_if(dim < 0 || sv_inq_dim(file, dim, nullptr, &length) != SV_OK, NC_EBADDIM);
  return length;
}

int Dataset::variable_named(const char *name) const {
  check_name(name);
  int found = -1;
  refuse_if(sv_inq_varid(file, name, &found) != SV_OK, NC_ENOTVAR);
  return found;
}

std::string Dataset::variable_name(int number) const {
  char name[SV_MAX_NAME];
  must(sv_inq_var(file, number, name, nullptr, nullptr, nullptr, nullptr));
  return name;
}

int64_t Dataset::records() const {
  int64_t count = 0;
  if (record_dim_ >= 0) must(sv_inq_dim(file, record_dim_, nullptr, &count));
  return count;
}

bool Dataset::is_filled(int variable) const {
  int defined = 0;
  must(sv_inq_fill(file, variable, &defined, nullptr));
  return defined != 0 || fills[static_cast<size_t>(variable)];
}

const Shape &Dataset::variable(int number) {
  refuse_if(number == NC_GLOBAL, NC_EGLOBAL);
  const auto place = static_cast<size_t>(number);
  if (number >= 0 && place < shapes_.size() && shapes_[place].type != NC_NAT) return shapes_[place];
  refuse_if(number < 0 || number >= variable_count(), NC_ENOTVAR);
  shapes_.resize(std::max(shapes_.size(), place + 1));
  Shape made;
  int ndims = 0, dims[SV_MAX_DIMS];
  must(sv_inq_var(file, number, nullptr, &made.type, &ndims, dims, nullptr));
  for (int d = 0; d < ndims; ++d) {
    must(sv_inq_dim(file, dims[d], nullptr, &made.lengths.emplace_back()));
    made.has_records = made.has_records || dims[d] == record_dim_;
    made.dims.push_back(dims[d]);
  }
  return shapes_[place] = made;
}

}  // namespace sv::pnetcdf
