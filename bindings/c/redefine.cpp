// sverdrup.h: definitions that change, and the rest of inquiry.
#include <cstring>

#include "engine/redefine.hpp"
#include "engine/sharing.hpp"
#include "handles.hpp"
#include "model/rules/classic.hpp"

using namespace sv;
using namespace sv::c;

extern "C" {

int sv_redef(sv_file *handle) {
  return guarded([&] {
    require(handle, "file");
    PhaseTimer timer(own_file(handle)->context().metrics, Phase::open);
    redefine(*own_file(handle));
  });
}

int sv_rename_dim(sv_file *handle, int dim, const char *name) {
  return guarded([&] {
    require(handle, "file");
    require(name, "name");
    file(handle)->defining("sv_rename_dim").rename_dim(dim, name);
  });
}

int sv_rename_var(sv_file *handle, int var, const char *name) {
  return guarded([&] {
    require(handle, "file");
    require(name, "name");
    file(handle)->defining("sv_rename_var").rename_variable(var, name);
  });
}

int sv_rename_att(sv_file *handle, int var, const char *name, const char *new_name) {
  return guarded([&] {
    require(handle, "file");
    require(name, "name");
    require(new_name, "new_name");
    file(handle)->defining("sv_rename_att").rename_attribute(var, name, new_name);
  });
}

int sv_del_att(sv_file *handle, int var, const char *name) {
  return guarded([&] {
    require(handle, "file");
    require(name, "name");
    file(handle)->defining("sv_del_att").delete_attribute(var, name);
  });
}

int sv_copy_att(const sv_file *from, int from_var, const char *name, sv_file *to, int to_var) {
  return guarded([&] {
    require(from, "from");
    require(to, "to");
    require(name, "name");
    Definitions &target = file(to)->defining("sv_copy_att");
    const Attribute &found = attribute_of(*file(from), from_var, name);
    const bool is_text = found.type == Type::string && found.count == 1 && classic::governs(target.schema.format);
    target.put_attribute(to_var, is_text ? text_attribute(name, *text_of(found)) : found);
  });
}

int sv_inq_path(const sv_file *handle, size_t *length, char *path) {
  return guarded([&] {
    require(handle, "file");
    const std::string &own = file(handle)->path();
    if (length != nullptr) *length = own.size();
    if (path != nullptr) std::memcpy(path, own.c_str(), own.size() + 1);
  });
}

int sv_inq_kind(const sv_file *handle, int *kind) {
  return guarded([&] {
    require(handle, "file");
    require(kind, "kind");
    const File &own = *file(handle);
    *kind = own.mode == Mode::read ? SV_NOWRITE : own.settings().kind == Kind::published ? SV_PUBLISHED : SV_GROWING;
  });
}

int sv_share_definitions(sv_file *handle) {
  return guarded([&] {
    require(handle, "file");
    share_definitions(*file(handle));
  });
}

int sv_inq_type(int type, char name[SV_MAX_NAME], int64_t *bytes) {
  return guarded([&] {
    const Type each = definable_type(type);
    if (name != nullptr) copy_text(name, SV_MAX_NAME, std::string(name_of(each)));
    if (bytes != nullptr) *bytes = each == Type::string ? int64_t{sizeof(char *)} : size_of(each);
  });
}

int sv_inq_fill(const sv_file *handle, int var, int *defined, void *value) {
  return guarded([&] {
    require(handle, "file");
    const File &own = *file(handle);
    const Variable &each = own.variable(var);
    if (value != nullptr && each.type == Type::string)
      throw Error(Status::type, "its fill value is a string", "Read '_FillValue' with sv_get_att_string")
          .in_variable(each.name)
          .in_file(own.path());
    if (defined != nullptr) *defined = find_attribute(each.attributes, "_FillValue") != nullptr ? 1 : 0;
    const Element fill = own.schema().fill_value(each);
    if (value != nullptr) std::memcpy(value, fill.data(), static_cast<size_t>(size_of(each.type)));
  });
}

int sv_inq_packing(const sv_file *handle, int var, int *on) {
  return guarded([&] {
    require(handle, "file");
    require(on, "on");
    file(handle)->variable(var);  // checks the id
    *on = file(handle)->definitions.is_packed(var) ? 1 : 0;
  });
}

int sv_inq_attid(const sv_file *handle, int var, const char *name, int *index) {
  return guarded([&]() -> std::optional<Error> {
    require(handle, "file");
    require(name, "name");
    const Definitions &definitions = file(handle)->definitions;
    const Attribute *const found = definitions.find_attribute(var, name);
    if (found == nullptr) return no_attribute(*file(handle), var, name);
    if (index != nullptr) *index = static_cast<int>(found - definitions.attributes(var).data());
    return std::nullopt;
  });
}
}
