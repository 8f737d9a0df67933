// Makes the file of a test in one call:
//
//   sv_file *file = make_file(io, "a.nc", 0, {{"time", SV_UNLIMITED}, {"x", 4}}, {{"v", SV_INT, {"time", "x"}}});
//
// and, as a TestFile, writes and checks whole fields, of which each rank has some rows:
//
//   TestFile out(io, "a.nc", 0, {{"time", SV_UNLIMITED}, {"x", 4}}, {{"v", SV_INT, {"time", "x"}, &var}});
//   out.put(var, 0, [](int64_t cell) { return 100 + static_cast<int>(cell); });
//   out.close();
//   TestFile in(io, open_file(io, "a.nc"));
//   in.check(var, 0, [](int64_t cell) { return 100 + static_cast<int>(cell); });
//   in.close();
//
// Every call must succeed: a failure ends the job, as with SV_MUST. The caller owns the file and closes it. A test
// whose subject is a definition that fails calls the C interface itself.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "check.hpp"

namespace svtest {

/// `id`, if given, receives the number of the dimension.
struct Dim {
  std::string name;
  int64_t length;
  int *id = nullptr;
};

/// `dims` are names. `id`, if given, receives the number of the variable; `fill` is a value of its type.
struct Var {
  std::string name;
  int type;
  std::vector<std::string> dims;
  int *id = nullptr;
  const void *fill = nullptr;
};

/// Local. The definitions of a file that is in define mode, and has none.
inline void define(sv_file *file, const std::vector<Dim> &dims, const std::vector<Var> &vars) {
  std::map<std::string, int> numbers;
  for (const Dim &dim : dims) {
    int &id = numbers[dim.name];
    SV_MUST(sv_def_dim(file, dim.name.c_str(), dim.length, &id));
    if (dim.id != nullptr) *dim.id = id;
  }
  for (const Var &var : vars) {
    std::vector<int> of;
    for (const std::string &name : var.dims) of.push_back(numbers.at(name));
    int id = -1;
    SV_MUST(sv_def_var(file, var.name.c_str(), var.type, static_cast<int>(of.size()), of.data(), &id));
    if (var.fill != nullptr) SV_MUST(sv_def_fill(file, id, var.fill));
    if (var.id != nullptr) *var.id = id;
  }
}

/// Collective. `flags` are those of sv_create. The file stays in define mode.
inline sv_file *begin_file(sv_context *io, const std::string &path, int flags, const std::vector<Dim> &dims,
                           const std::vector<Var> &vars) {
  sv_file *file = nullptr;
  SV_MUST(sv_create(io, path.c_str(), flags, &file));
  define(file, dims, vars);
  return file;
}

/// Collective. As begin_file, and ends define mode.
inline sv_file *make_file(sv_context *io, const std::string &path, int flags, const std::vector<Dim> &dims,
                          const std::vector<Var> &vars) {
  sv_file *file = begin_file(io, path, flags, dims, vars);
  SV_MUST(sv_enddef(file));
  return file;
}

/// Collective.
inline sv_file *open_file(sv_context *io, const std::string &path, int flags = SV_NOWRITE) {
  sv_file *file = nullptr;
  SV_MUST(sv_open(io, path.c_str(), flags, &file));
  return file;
}

/// Local. The number of a variable, which must exist.
inline int var_id(const sv_file *file, const std::string &name) {
  int id = -1;
  SV_MUST(sv_inq_varid(file, name.c_str(), &id));
  return id;
}

/// Of a value in memory.
template <class Value>
constexpr int type_of = std::is_same_v<Value, double>  ? SV_DOUBLE
                        : std::is_same_v<Value, float> ? SV_FLOAT
                                                       : SV_INT;

/// An open file whose variables the ranks of the model divide by the first dimension that is longer than 1 and has no
/// records. Values are functions of the cell's number in the whole field: double, float or int. Collective.
class TestFile {
 public:
  TestFile(sv_context *io, sv_file *file) : io_(io), file_(file) {
    MPI_Comm comm = MPI_COMM_NULL;
    SV_MUST(sv_model_comm(io, &comm));
    rank_ = rank_in(comm), ranks_ = size_of(comm);
  }
  /// Makes the file: the decompositions of its variables are known before define mode ends.
  TestFile(sv_context *io, const std::string &path, int flags, const std::vector<Dim> &dims,
           const std::vector<Var> &vars)
      : TestFile(io, begin_file(io, path, flags, dims, vars)) {
    for (int var = 0; var < std::ssize(vars); ++var) rows_of(var);
    SV_MUST(sv_enddef(file_));
  }
  operator sv_file *() const { return file_; }
  /// Of this rank's rows, until close.
  const sv_decomp *decomp(int var) { return rows_of(var).decomp; }

  template <class ValueOf>
  void put(int var, int64_t record, ValueOf value_of) {
    const Rows &rows = rows_of(var);
    const auto values = values_in(rows, value_of);
    SV_MUST(sv_put(file_, var, rows.decomp, record, type_of<decltype(value_of(0))>, values.data(), nullptr));
  }
  template <class ValueOf>
  void check(int var, int64_t record, ValueOf value_of) {
    const Rows &rows = rows_of(var);
    const auto wanted = values_in(rows, value_of);
    auto found = wanted;
    std::fill(found.begin(), found.end(), decltype(value_of(0)){-1});
    SV_MUST(sv_get(file_, var, rows.decomp, record, type_of<decltype(value_of(0))>, found.data(), nullptr));
    for (size_t i = 0; i < wanted.size(); ++i)
      if (found[i] != wanted[i])
        give_up("variable " + std::to_string(var) + ", record " + std::to_string(record) + ", cell " +
                std::to_string(rows.first + static_cast<int64_t>(i)) + ": found " + std::to_string(found[i]) +
                ", expected " + std::to_string(wanted[i]));
  }
  void close() {
    SV_MUST(sv_close(file_));
    for (const auto &[shape, rows] : rows_) SV_MUST(sv_free_decomp(rows.decomp));
    rows_.clear();
  }

 private:
  struct Rows {
    sv_decomp *decomp = nullptr;
    int64_t first = 0, last = 0;  // cells of this rank
  };
  template <class ValueOf>
  static auto values_in(const Rows &rows, ValueOf value_of) {
    std::vector<decltype(value_of(0))> values;
    for (int64_t cell = rows.first; cell < rows.last; ++cell) values.push_back(value_of(cell));
    return values;
  }
  const Rows &rows_of(int var) {
    int dims = 0, ids[SV_MAX_DIMS], record_dim = -1;
    SV_MUST(sv_inq(file_, nullptr, nullptr, nullptr, &record_dim));
    SV_MUST(sv_inq_var(file_, var, nullptr, nullptr, &dims, ids, nullptr));
    std::vector<int64_t> shape;
    for (int d = 0; d < dims; ++d) {
      int64_t length = 0;
      SV_MUST(sv_inq_dim(file_, ids[d], nullptr, &length));
      if (ids[d] != record_dim && (length > 1 || !shape.empty())) shape.push_back(length);
    }
    if (shape.empty()) shape.push_back(1);
    const auto known = rows_.find(shape);
    if (known != rows_.end()) return known->second;
    std::vector<int64_t> start(shape.size(), 0), count = shape;
    start[0] = shape[0] * rank_ / ranks_;
    count[0] = shape[0] * (rank_ + 1) / ranks_ - start[0];
    int64_t cells = 1;
    for (size_t d = 1; d < shape.size(); ++d) cells *= shape[d];
    Rows rows{nullptr, start[0] * cells, (start[0] + count[0]) * cells};
    SV_MUST(sv_def_decomp(io_, static_cast<int>(shape.size()), shape.data(), start.data(), count.data(), nullptr,
                          &rows.decomp));
    return rows_[shape] = rows;
  }

  sv_context *io_;
  sv_file *file_;
  int rank_ = 0, ranks_ = 1;
  std::map<std::vector<int64_t>, Rows> rows_;
};

}  // namespace svtest
