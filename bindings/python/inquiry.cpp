#include "handles.hpp"

namespace sv::python {

namespace {

/// Numbers of dimensions, variables and attributes; the record dimension or -1.
std::tuple<int, int, int, int> inq(Handle file) {
  int ndims = 0, nvars = 0, natts = 0, record_dim = -1;
  local(file, [&] { return sv_inq(as<sv_file>(file), &ndims, &nvars, &natts, &record_dim); });
  return std::make_tuple(ndims, nvars, natts, record_dim);
}

std::vector<int> inq_unlimdims(Handle file) {
  int count = 0;
  local(file, [&] { return sv_inq_unlimdims(as<sv_file>(file), &count, nullptr); });
  std::vector<int> dims(static_cast<size_t>(count));
  local(file, [&] { return sv_inq_unlimdims(as<sv_file>(file), &count, dims.data()); });
  return dims;
}

std::tuple<Text, int64_t> inq_dim(Handle file, int dim) {
  char name[SV_MAX_NAME];
  int64_t length = 0;
  local(file, [&] { return sv_inq_dim(as<sv_file>(file), dim, name, &length); });
  return std::make_tuple(Text{name}, length);
}

/// Name, type, dimensions, number of attributes.
std::tuple<Text, int, std::vector<int>, int> inq_var(Handle file, int var) {
  char name[SV_MAX_NAME];
  int type = 0, ndims = 0, natts = 0, dims[SV_MAX_DIMS];
  local(file, [&] { return sv_inq_var(as<sv_file>(file), var, name, &type, &ndims, dims, &natts); });
  return std::make_tuple(Text{name}, type, std::vector<int>(dims, dims + ndims), natts);
}

/// Type and count.
std::tuple<int, int64_t> inq_att(Handle file, int var, const Text &name) {
  const char *const text = name.c();
  int type = 0;
  int64_t count = 0;
  local(file, [&] { return sv_inq_att(as<sv_file>(file), var, text, &type, &count); });
  return std::make_tuple(type, count);
}

Text inq_attname(Handle file, int var, int index) {
  char name[SV_MAX_NAME];
  local(file, [&] { return sv_inq_attname(as<sv_file>(file), var, index, name); });
  return {name};
}

std::vector<Text> get_att_string(Handle file, int var, const Text &name, int64_t count) {
  const char *const text = name.c();
  std::vector<char *> strings(static_cast<size_t>(count));
  local(file, [&] { return sv_get_att_string(as<sv_file>(file), var, text, strings.data()); });
  std::vector<Text> all;
  for (const char *each : strings) all.push_back({each});
  sv_free_string(count, strings.data());
  return all;
}

void get_att(Handle file, int var, const Text &name, int type, const nb::object &values) {
  const Memory memory(values, true);
  const char *const text = name.c();
  local(file, [&] { return sv_get_att(as<sv_file>(file), var, text, type, memory.data()); });
}

/// Fills `value`, of the variable's type; true if the file defines it.
bool inq_fill(Handle file, int var, const nb::object &value) {
  const Memory memory(value, true);
  int defined = 0;
  local(file, [&] { return sv_inq_fill(as<sv_file>(file), var, &defined, memory.data()); });
  return defined != 0;
}

Text inq_path(Handle file) {
  Text path;
  local(file, [&] {
    size_t length = 0;
    const int status = sv_inq_path(as<sv_file>(file), &length, nullptr);
    if (status != SV_OK) return status;
    path.bytes.resize(length + 1);
    const int again = sv_inq_path(as<sv_file>(file), &length, path.bytes.data());
    path.bytes.resize(length);
    return again;
  });
  return path;
}

/// The ids of a group's members.
template <auto list>
std::vector<int> in_group(Handle file, int grp) {
  int count = 0;
  local(file, [&] { return list(as<sv_file>(file), grp, &count, nullptr); });
  std::vector<int> ids(static_cast<size_t>(count));
  local(file, [&] { return list(as<sv_file>(file), grp, &count, ids.data()); });
  return ids;
}

int inq_grpid(Handle file, int parent, const Text &name) {
  const char *const text = name.c();
  int grp = -1;
  local(file, [&] { return sv_inq_grpid(as<sv_file>(file), parent, text, &grp); });
  return grp;
}

Text inq_grpname_full(Handle file, int grp) {
  char name[SV_MAX_NAME];
  local(file, [&] { return sv_inq_grpname_full(as<sv_file>(file), grp, name); });
  return {name};
}

int inq_grp_natts(Handle file, int grp) {
  int natts = 0;
  local(file, [&] { return sv_inq_grp_natts(as<sv_file>(file), grp, &natts); });
  return natts;
}

template <auto inquire>
int file_number(Handle file) {
  int number = 0;
  local(file, [&] { return inquire(as<sv_file>(file), &number); });
  return number;
}

template <auto inquire>
int file_number_by_name(Handle file, const Text &name) {
  const char *const text = name.c();
  int number = -1;
  local(file, [&] { return inquire(as<sv_file>(file), text, &number); });
  return number;
}

}  // namespace

void bind_inquiry(nb::module_ &module) {
  module.def("inq", inq);
  module.def("inq_unlimdims", inq_unlimdims);
  module.def("inq_format", file_number<sv_inq_format>);
  module.def("inq_kind", file_number<sv_inq_kind>);
  module.def("inq_pending", file_number<sv_inq_pending>);
  module.def("inq_path", inq_path);
  module.def("inq_dim", inq_dim);
  module.def("inq_dimid", file_number_by_name<sv_inq_dimid>);
  module.def("inq_var", inq_var);
  module.def("inq_varid", file_number_by_name<sv_inq_varid>);
  module.def("inq_att", inq_att);
  module.def("inq_attname", inq_attname);
  module.def("get_att", get_att);
  module.def("get_att_string", get_att_string);
  module.def("inq_grps", in_group<sv_inq_grps>);
  module.def("inq_grp_varids", in_group<sv_inq_grp_varids>);
  module.def("inq_grp_dimids", in_group<sv_inq_grp_dimids>);
  module.def("inq_grp_natts", inq_grp_natts);
  module.def("inq_grpid", inq_grpid);
  module.def("inq_grpname_full", inq_grpname_full);
  module.def("inq_fill", inq_fill);
  module.def("inq_packing", [](Handle file, int var) {
    int on = 0;
    local(file, [&] { return sv_inq_packing(as<sv_file>(file), var, &on); });
    return on != 0;
  });
}

}  // namespace sv::python
