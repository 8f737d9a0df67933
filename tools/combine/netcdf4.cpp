#include "pieces.hpp"

#include <netcdf.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "support/names.hpp"
#include "support/program.hpp"

namespace sv_combine {

namespace {

constexpr size_t most_bytes = 8 << 20;  // of values in memory at a time

/// An open netCDF file; netCDF's errors become exceptions that name it.
class NetcdfFile {
 public:
  NetcdfFile(std::string path, int create_mode) : path_(std::move(path)) {
    check(create_mode < 0 ? nc_open(path_.c_str(), NC_NOWRITE, &id_) : nc_create(path_.c_str(), create_mode, &id_));
  }
  NetcdfFile(const NetcdfFile &) = delete;
  ~NetcdfFile() {
    if (id_ >= 0) nc_close(id_);
  }
  int id() const { return id_; }
  void check(int status) const {
    if (status != NC_NOERR) throw std::runtime_error("'" + path_ + "': " + nc_strerror(status));
  }
  [[noreturn]] void refuse(const std::string &cause) const { throw std::runtime_error("'" + path_ + "': " + cause); }
  void close() {
    const int id = id_;
    id_ = -1;
    check(nc_close(id));
  }

 private:
  const std::string path_;
  int id_ = -1;
};

/// A piece on its way from netCDF-4 to a classic file.
class Copy {
 public:
  Copy(const std::string &from, const std::string &to)
      : from_(from, -1), to_(to, NC_CLOBBER | (wide() ? NC_64BIT_DATA : NC_64BIT_OFFSET)) {}

  void run() {
    define();
    for (int v = 0; v < variables_; ++v) copy_values(v);
    to_.close();
  }

 private:
  bool wide();
  void define();
  void copy_attributes(int variable, int n);
  void copy_values(int variable);
  void copy_block(int variable, const std::vector<size_t> &start, const std::vector<size_t> &count);

  NetcdfFile from_;
  int dims_ = 0, variables_ = 0, attributes_ = 0, unlimited_ = -1;
  std::vector<size_t> lengths_;
  NetcdfFile to_;
  std::vector<char> values_;
};

/// Whether types need CDF-5. Also counts what there is.
bool Copy::wide() {
  from_.check(nc_inq(from_.id(), &dims_, &variables_, &attributes_, &unlimited_));
  bool wide = false;
  for (int v = 0; v < variables_; ++v) {
    nc_type type = NC_NAT;
    std::array<char, NC_MAX_NAME + 1> name{};
    from_.check(nc_inq_var(from_.id(), v, name.data(), &type, nullptr, nullptr, nullptr));
    if (type > NC_UINT64)
      from_.refuse(std::string("the variable '") + name.data() + "' has a type that classic files do not have");
    wide = wide || type > NC_DOUBLE;
  }
  return wide;
}

void Copy::copy_attributes(int variable, int n) {
  for (int i = 0; i < n; ++i) {
    std::array<char, NC_MAX_NAME + 1> name{};
    from_.check(nc_inq_attname(from_.id(), variable, i, name.data()));
    to_.check(nc_copy_att(from_.id(), variable, name.data(), to_.id(), variable));
  }
}

void Copy::define() {
  lengths_.resize(static_cast<size_t>(dims_));
  std::array<char, NC_MAX_NAME + 1> name{};
  for (int d = 0; d < dims_; ++d) {
    size_t &length = lengths_[static_cast<size_t>(d)];
    int id = -1;
    from_.check(nc_inq_dim(from_.id(), d, name.data(), &length));
    to_.check(nc_def_dim(to_.id(), name.data(), d == unlimited_ ? NC_UNLIMITED : length, &id));
  }
  copy_attributes(NC_GLOBAL, attributes_);
  for (int v = 0; v < variables_; ++v) {
    nc_type type = NC_NAT;
    std::array<int, NC_MAX_VAR_DIMS> dims{};
    int n = 0, attributes = 0, id = -1;
    from_.check(nc_inq_var(from_.id(), v, name.data(), &type, &n, dims.data(), &attributes));
    to_.check(nc_def_var(to_.id(), name.data(), type, n, dims.data(), &id));
    copy_attributes(v, attributes);
  }
  int before = 0;
  to_.check(nc_set_fill(to_.id(), NC_NOFILL, &before));
  to_.check(nc_enddef(to_.id()));
}

void Copy::copy_block(int variable, const std::vector<size_t> &start, const std::vector<size_t> &count) {
  from_.check(nc_get_vara(from_.id(), variable, start.data(), count.data(), values_.data()));
  to_.check(nc_put_vara(to_.id(), variable, start.data(), count.data(), values_.data()));
}

/// The last dimensions as far as they fit whole, as many indices of the one before as fit, one of each other.
void Copy::copy_values(int variable) {
  nc_type type = NC_NAT;
  int n = 0;
  size_t bytes = 0;
  std::array<int, NC_MAX_VAR_DIMS> dims{};
  from_.check(nc_inq_var(from_.id(), variable, nullptr, &type, &n, dims.data(), nullptr));
  from_.check(nc_inq_type(from_.id(), type, nullptr, &bytes));
  std::vector<size_t> start(static_cast<size_t>(n) + 1, 0), count(static_cast<size_t>(n) + 1, 1), shape;
  for (int d = 0; d < n; ++d) shape.push_back(lengths_[static_cast<size_t>(dims[static_cast<size_t>(d)])]);
  for (const size_t length : shape)
    if (length == 0) return;
  size_t split = shape.size();
  while (split > 0 && bytes * shape[split - 1] <= most_bytes) {
    --split;
    count[split] = shape[split];
    bytes *= shape[split];
  }
  size_t rows = 1;
  if (split > 0) rows = std::clamp(most_bytes / bytes, size_t{1}, shape[--split]);
  values_.resize(bytes * rows);
  for (bool more = true; more;) {
    if (!shape.empty() && count[split] != shape[split]) count[split] = std::min(rows, shape[split] - start[split]);
    copy_block(variable, start, count);
    more = false;
    if (shape.empty()) return;
    for (size_t d = split + 1; d-- > 0 && !more;) {
      start[d] += d == split ? count[d] : 1;
      more = start[d] < shape[d];
      if (!more) start[d] = 0;
    }
  }
}

int pieces_of(const std::string &set) {
  const NetcdfFile first(sv_tools::piece_path(set, 0), -1);
  int pieces = 0;
  if (nc_get_att_int(first.id(), NC_GLOBAL, "NumFilesInSet", &pieces) != NC_NOERR || pieces < 1)
    first.refuse("the file is no piece of a set: it has no attribute NumFilesInSet");
  return pieces;
}

}  // namespace

void make_classic(MPI_Comm comm, const std::string &set, const std::string &copy) {
  sv_tools::together(comm, [&] {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const int pieces = pieces_of(set);
    for (int piece = rank; piece < pieces; piece += ranks)
      Copy(sv_tools::piece_path(set, piece), sv_tools::piece_path(copy, piece)).run();
  });
}

}  // namespace sv_combine
