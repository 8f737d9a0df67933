// Files and their definitions.
#include "binding.hpp"

namespace sv::python {

namespace {

template <auto call>
Handle made_file(Handle io, const std::string &path, int flags) {
  sv_file *file = nullptr;
  collective([&] { return call(as<sv_context>(io), path.c_str(), flags, &file); });
  return reinterpret_cast<Handle>(file);
}

template <auto call>
void call_file(Handle file) {
  collective([&] { return call(as<sv_file>(file)); });
}

std::tuple<int64_t, bool> begin_record(Handle file, const std::vector<int> &date, double time) {
  int64_t record = 0;
  int wants_fixed = 0;
  collective([&] { return sv_begin_record(as<sv_file>(file), date.data(), time, &record, &wants_fixed); });
  return std::make_tuple(record, wants_fixed != 0);
}

int def_dim(Handle file, const std::string &name, int64_t length) {
  int dim = -1;
  check(sv_def_dim(as<sv_file>(file), name.c_str(), length, &dim));
  return dim;
}

int def_var(Handle file, const std::string &name, int type, const std::vector<int> &dims) {
  int var = -1;
  check(sv_def_var(as<sv_file>(file), name.c_str(), type, static_cast<int>(dims.size()), dims.data(), &var));
  return var;
}

int def_order(Handle file, int dim, const std::string &name, Handle ordered) {
  int var = -1;
  check(sv_def_order(as<sv_file>(file), dim, name.c_str(), as<sv_decomp>(ordered), &var));
  return var;
}

void def_fill(Handle file, int var, const nb::object &value) {
  const Memory memory(value, false);
  check(sv_def_fill(as<sv_file>(file), var, memory.data()));
}

void put_att(Handle file, int var, const std::string &name, int type, int64_t count, const nb::object &values) {
  const Memory memory(values, false);
  check(sv_put_att(as<sv_file>(file), var, name.c_str(), type, count, memory.data()));
}

}  // namespace

void bind_files(nb::module_ &module) {
  module.def("create", made_file<sv_create>);
  module.def("open", made_file<sv_open>);
  module.def("enddef", call_file<sv_enddef>);
  module.def("redef", call_file<sv_redef>);
  module.def("sync", call_file<sv_sync>);
  module.def("close", call_file<sv_close>);
  module.def("begin_record", begin_record);
  module.def("def_dim", def_dim);
  module.def("def_var", def_var);
  module.def("def_order", def_order);
  module.def("def_fill", def_fill);
  module.def("def_packing", [](Handle file, int var, double scale_factor, double add_offset) {
    check(sv_def_packing(as<sv_file>(file), var, scale_factor, add_offset));
  });
  module.def("use_packing",
             [](Handle file, int var, bool on) { check(sv_use_packing(as<sv_file>(file), var, on ? 1 : 0)); });
  module.def("def_axes", [](Handle file, int var, int first) { check(sv_def_axes(as<sv_file>(file), var, first)); });
  module.def("put_att", put_att);
  module.def("put_att_text", [](Handle file, int var, const std::string &name, const std::string &text) {
    check(sv_put_att(as<sv_file>(file), var, name.c_str(), SV_CHAR, static_cast<int64_t>(text.size()), text.data()));
  });
  module.def("rename_dim", [](Handle file, int dim, const std::string &name) {
    check(sv_rename_dim(as<sv_file>(file), dim, name.c_str()));
  });
  module.def("rename_var", [](Handle file, int var, const std::string &name) {
    check(sv_rename_var(as<sv_file>(file), var, name.c_str()));
  });
  module.def("rename_att", [](Handle file, int var, const std::string &name, const std::string &to) {
    check(sv_rename_att(as<sv_file>(file), var, name.c_str(), to.c_str()));
  });
  module.def("del_att", [](Handle file, int var, const std::string &name) {
    check(sv_del_att(as<sv_file>(file), var, name.c_str()));
  });
  module.def("copy_att", [](Handle from, int from_var, const std::string &name, Handle to, int to_var) {
    check(sv_copy_att(as<sv_file>(from), from_var, name.c_str(), as<sv_file>(to), to_var));
  });
}

}  // namespace sv::python
