// Makes the file of a test in one call:
//
//   sv_file *file = make_file(io, "a.nc", 0, {{"time", SV_UNLIMITED}, {"x", 4}}, {{"v", SV_INT, {"time", "x"}}});
//
// Every call must succeed: a failure ends the job, as with SV_MUST. The caller owns the file and closes it. A test
// whose subject is a definition that fails calls the C interface itself.
#pragma once

#include <map>
#include <string>
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

/// Collective. `flags` are those of sv_create. The file stays in define mode.
inline sv_file *begin_file(sv_context *io, const std::string &path, int flags, const std::vector<Dim> &dims,
                           const std::vector<Var> &vars) {
  sv_file *file = nullptr;
  SV_MUST(sv_create(io, path.c_str(), flags, &file));
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

}  // namespace svtest
