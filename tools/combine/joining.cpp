#include "joining.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace sv_combine {

namespace {

int64_t product(const std::vector<int64_t> &shape) {
  int64_t elements = 1;
  for (const int64_t length : shape) elements *= length;
  return elements;
}

}  // namespace

void must(int status) {
  if (status != SV_OK) throw std::runtime_error(sv_message());
}

int64_t bytes_of(int type) {
  switch (type) {
    case SV_BYTE:
    case SV_UBYTE:
    case SV_CHAR:
      return 1;
    case SV_SHORT:
    case SV_USHORT:
      return 2;
    case SV_INT:
    case SV_UINT:
    case SV_FLOAT:
      return 4;
    default:
      return 8;
  }
}

void Joining::copy_attributes(int variable) {
  int n = 0;
  must(variable == SV_GLOBAL ? sv_inq(in_, nullptr, nullptr, &n, nullptr)
                             : sv_inq_var(in_, variable, nullptr, nullptr, nullptr, nullptr, &n));
  for (int i = 0; i < n; ++i) {
    std::array<char, SV_MAX_NAME> name{};
    int type = 0;
    int64_t count = 0;
    must(sv_inq_attname(in_, variable, i, name.data()));
    must(sv_inq_att(in_, variable, name.data(), &type, &count));
    std::vector<char> values(static_cast<size_t>(std::max<int64_t>(count, 1) * bytes_of(type)));
    must(sv_get_att(in_, variable, name.data(), type, values.data()));
    must(sv_put_att(out_, variable, name.data(), type, count, values.data()));
  }
}

void Joining::define() {
  int dims = 0, n_variables = 0, record_dim = -1;
  must(sv_inq(in_, &dims, &n_variables, nullptr, &record_dim));
  std::vector<int64_t> lengths(static_cast<size_t>(dims));
  for (int d = 0; d < dims; ++d) {
    std::array<char, SV_MAX_NAME> name{};
    int id = -1;
    must(sv_inq_dim(in_, d, name.data(), &lengths[static_cast<size_t>(d)]));
    must(sv_def_dim(out_, name.data(), d == record_dim ? SV_UNLIMITED : lengths[static_cast<size_t>(d)], &id));
  }
  copy_attributes(SV_GLOBAL);
  records_ = record_dim < 0 ? 0 : lengths[static_cast<size_t>(record_dim)];
  for (int v = 0; v < n_variables; ++v) {
    std::array<char, SV_MAX_NAME> name{};
    std::array<int, SV_MAX_DIMS> of{};
    Variable variable{};
    int n = 0, id = -1;
    int type = 0;
    must(sv_inq_var(in_, v, name.data(), &type, &n, of.data(), nullptr));
    variable.has_records = n > 0 && of[0] == record_dim;
    std::vector<int64_t> slab;
    for (int d = variable.has_records ? 1 : 0; d < n; ++d)
      slab.push_back(lengths[static_cast<size_t>(of[static_cast<size_t>(d)])]);
    variable.slab_bytes = product(slab) * bytes_of(type);
    must(sv_def_var(out_, name.data(), type, n, of.data(), &id));
    copy_attributes(v);
    bytes_ += variable.slab_bytes * (variable.has_records ? records_ : 1);
    variables_.push_back(variable);
  }
  must(sv_enddef(out_));
}

/// Fixed variables first, then record by record: the order in which they stand in the file.
void Joining::copy(const std::function<void(int64_t)> &progress) {
  int64_t done = 0;
  const auto copy = [&](int64_t record) {
    for (int v = 0; v < static_cast<int>(variables_.size()); ++v) {
      const Variable &variable = variables_[static_cast<size_t>(v)];
      if (variable.has_records != (record != SV_NO_RECORD)) continue;
      must(sv_copy_var(in_, v, record, out_, v, record));
      progress(done += variable.slab_bytes);
    }
  };
  copy(SV_NO_RECORD);
  for (int64_t record = 0; record < records_; ++record) copy(record);
}

}  // namespace sv_combine
