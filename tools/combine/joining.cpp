#include "joining.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace sv_combine {

namespace {

/// Blocks of an array, each a contiguous range of it and a box: one index along the first dimensions, some along
/// `dim`, all along the rest.
struct Blocks {
  std::vector<int64_t> shape;
  size_t dim = 0;
  int64_t rows = 1;  // along dim, of a block; the last one may have fewer

  int64_t along() const { return shape.empty() ? 1 : (shape[dim] + rows - 1) / rows; }
  int64_t count() const {
    int64_t outer = 1;
    for (size_t d = 0; d < dim; ++d) outer *= shape[d];
    return outer * along();
  }
  void box(int64_t block, std::vector<int64_t> &start, std::vector<int64_t> &count) const {
    start.assign(shape.size(), 0);
    count = shape;
    if (shape.empty()) return;
    start[dim] = block % along() * rows;
    count[dim] = std::min(rows, shape[dim] - start[dim]);
    int64_t outer = block / along();
    for (size_t d = dim; d-- > 0; outer /= shape[d]) {
      start[d] = outer % shape[d];
      count[d] = 1;
    }
  }
};

Blocks blocks_of(const std::vector<int64_t> &shape, int64_t most_elements) {
  Blocks blocks{shape, 0, 1};
  int64_t inner = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    blocks.dim = d;
    blocks.rows = std::clamp(most_elements / inner, int64_t{1}, std::max<int64_t>(shape[d], 1));
    if (blocks.rows < shape[d]) break;
    inner *= shape[d];
  }
  return blocks;
}

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

Joining::Joining(MPI_Comm comm, sv_file *in, sv_file *out, int64_t block_bytes)
    : comm_(comm), in_(in), out_(out), block_bytes_(block_bytes) {}

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
  for (int v = 0; v < n_variables; ++v) {
    std::array<char, SV_MAX_NAME> name{};
    std::array<int, SV_MAX_DIMS> of{};
    Variable variable{};
    int n = 0, id = -1;
    must(sv_inq_var(in_, v, name.data(), &variable.type, &n, of.data(), nullptr));
    for (int d = 0; d < n; ++d) variable.shape.push_back(lengths[static_cast<size_t>(of[static_cast<size_t>(d)])]);
    must(sv_def_var(out_, name.data(), variable.type, n, of.data(), &id));
    copy_attributes(v);
    bytes_ += product(variable.shape) * bytes_of(variable.type);
    variables_.push_back(variable);
  }
  must(sv_enddef(out_));
}

void Joining::copy(const std::function<void(int64_t)> &progress) {
  for (int v = 0; v < static_cast<int>(variables_.size()); ++v)
    copy_variable(v, variables_[static_cast<size_t>(v)], progress);
}

/// In each step every rank takes the block after that of the rank before.
void Joining::copy_variable(int id, const Variable &variable, const std::function<void(int64_t)> &progress) {
  if (product(variable.shape) == 0) return;  // no records
  const int64_t value_bytes = bytes_of(variable.type);
  const Blocks blocks = blocks_of(variable.shape, std::max<int64_t>(1, block_bytes_ / value_bytes));
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm_, &rank);
  MPI_Comm_size(comm_, &ranks);
  for (int64_t first = 0; first < blocks.count(); first += ranks) {
    std::vector<int64_t> start(variable.shape.size(), 0), count(variable.shape.size(), 0);
    if (first + rank < blocks.count()) blocks.box(first + rank, start, count);
    if (variable.shape.empty()) {  // a scalar has no sub-arrays
      std::array<char, 8> value{};
      must(sv_get_var(in_, id, SV_NO_RECORD, variable.type, value.data(), nullptr));
      must(sv_put_var(out_, id, SV_NO_RECORD, variable.type, value.data(), nullptr));
    } else {
      block_.resize(static_cast<size_t>(std::max<int64_t>(1, product(count)) * value_bytes));
      must(sv_get_vara(in_, id, start.data(), count.data(), variable.type, block_.data(), nullptr));
      must(sv_put_vara(out_, id, start.data(), count.data(), variable.type, block_.data(), nullptr));
    }
    std::vector<int64_t> from, extent;
    for (int64_t b = first; b < std::min(first + ranks, blocks.count()); ++b) {
      blocks.box(b, from, extent);
      done_ += product(extent) * value_bytes;
    }
    progress(done_);
  }
}

}  // namespace sv_combine
