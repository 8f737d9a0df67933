// Files and their definitions.
#include "handles.hpp"

namespace sv::python {

namespace {

template <auto call>
Handle made_file(Handle io, const Text &path, int flags) {
  const char *const name = path.c("a path");
  sv_file *file = nullptr;
  collective(io, [&] { return call(as<sv_context>(io), name, flags, &file); });
  return keep(file, io, turn_of(io));
}

template <auto call>
void call_file(Handle file) {
  collective(file, [&] { return call(as<sv_file>(file)); });
}

/// Forgets the file even where that fails: sv_close frees it in any case.
void close(Handle file) {
  collective(file, [&] {
    auto *const object = as<sv_file>(file);
    forget(file);
    return sv_close(object);
  });
}

std::tuple<int64_t, bool> select_record(Handle file, const std::vector<int> &date, double time) {
  int64_t record = 0;
  int wants_fixed = 0;
  collective(file, [&] { return sv_select_record(as<sv_file>(file), date.data(), time, &record, &wants_fixed); });
  return std::make_tuple(record, wants_fixed != 0);
}

int def_dim(Handle file, const Text &name, int64_t length) {
  const char *const text = name.c();
  int dim = -1;
  local(file, [&] { return sv_def_dim(as<sv_file>(file), text, length, &dim); });
  return dim;
}

int def_var(Handle file, const Text &name, int type, const std::vector<int> &dims) {
  const char *const text = name.c();
  int var = -1;
  local(file,
        [&] { return sv_def_var(as<sv_file>(file), text, type, static_cast<int>(dims.size()), dims.data(), &var); });
  return var;
}

int def_grp(Handle file, int parent, const Text &name) {
  const char *const text = name.c();
  int grp = -1;
  local(file, [&] { return sv_def_grp(as<sv_file>(file), parent, text, &grp); });
  return grp;
}

int def_order(Handle file, int dim, const Text &name, Handle ordered) {
  const char *const text = name.c();
  int var = -1;
  local(file, [&] { return sv_def_order(as<sv_file>(file), dim, text, as<sv_decomp>(ordered), &var); });
  return var;
}

void undef_var(Handle file, int var) {
  local(file, [&] { return sv_undef_var(as<sv_file>(file), var); });
}

void def_fill(Handle file, int var, const nb::object &value) {
  const Memory memory(value, false);
  local(file, [&] { return sv_def_fill(as<sv_file>(file), var, memory.data()); });
}

void def_packing(Handle file, int var, double scale_factor, double add_offset) {
  local(file, [&] { return sv_def_packing(as<sv_file>(file), var, scale_factor, add_offset); });
}

void use_packing(Handle file, int var, bool on) {
  local(file, [&] { return sv_use_packing(as<sv_file>(file), var, on ? 1 : 0); });
}

void put_att(Handle file, int var, const Text &name, int type, int64_t count, const nb::object &values) {
  const Memory memory(values, false);
  const char *const text = name.c();
  local(file, [&] { return sv_put_att(as<sv_file>(file), var, text, type, count, memory.data()); });
}

/// The text itself may contain null characters.
void put_att_text(Handle file, int var, const Text &name, const Text &value) {
  const char *const text = name.c();
  const auto count = static_cast<int64_t>(value.bytes.size());
  local(file, [&] { return sv_put_att(as<sv_file>(file), var, text, SV_CHAR, count, value.bytes.data()); });
}

void put_att_string(Handle file, int var, const Text &name, const std::vector<Text> &values) {
  const char *const text = name.c();
  std::vector<const char *> strings;
  for (const Text &each : values) strings.push_back(each.c("a string"));
  const auto count = static_cast<int64_t>(strings.size());
  local(file, [&] { return sv_put_att_string(as<sv_file>(file), var, text, count, strings.data()); });
}

/// A call that takes a name, of a variable or a dimension: sv_rename_var, sv_rename_dim, sv_del_att.
template <auto call>
void with_name(Handle file, int number, const Text &name) {
  const char *const text = name.c();
  local(file, [&] { return call(as<sv_file>(file), number, text); });
}

void rename_att(Handle file, int var, const Text &name, const Text &to) {
  const char *const text = name.c(), *const other = to.c();
  local(file, [&] { return sv_rename_att(as<sv_file>(file), var, text, other); });
}

void copy_att(Handle from, int from_var, const Text &name, Handle to, int to_var) {
  const char *const text = name.c();
  between(from, to, false, [&] { return sv_copy_att(as<sv_file>(from), from_var, text, as<sv_file>(to), to_var); });
}

}  // namespace

void bind_files(nb::module_ &module) {
  module.def("create", made_file<sv_create>);
  module.def("open", made_file<sv_open>);
  module.def("enddef", call_file<sv_enddef>);
  module.def("redef", call_file<sv_redef>);
  module.def("sync", call_file<sv_sync>);
  module.def("close", close);
  module.def("select_record", select_record);
  module.def("def_dim", def_dim);
  module.def("def_var", def_var);
  module.def("undef_var", undef_var);
  module.def("def_grp", def_grp);
  module.def("def_order", def_order);
  module.def("def_fill", def_fill);
  module.def("def_packing", def_packing);
  module.def("use_packing", use_packing);
  module.def("def_var_decomp_dim", [](Handle file, int var, int first) {
    local(file, [&] { return sv_def_var_decomp_dim(as<sv_file>(file), var, first); });
  });
  module.def("put_att", put_att);
  module.def("put_att_text", put_att_text);
  module.def("put_att_string", put_att_string);
  module.def("rename_dim", with_name<sv_rename_dim>);
  module.def("rename_var", with_name<sv_rename_var>);
  module.def("rename_att", rename_att);
  module.def("del_att", with_name<sv_del_att>);
  module.def("copy_att", copy_att);
}

}  // namespace sv::python
