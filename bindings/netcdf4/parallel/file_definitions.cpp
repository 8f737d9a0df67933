#include "file_definitions.hpp"

#include <algorithm>
#include <cstring>

#include "statuses.hpp"
#include "sverdrup/groups.h"

namespace sv::netcdf4 {

namespace {

void store_as(sv_file *file, int number, const VariableDefinition &variable) {
  if (variable.dims.empty()) return;
  const std::vector<int64_t> lengths(variable.chunk.begin(), variable.chunk.end());
  if (variable.storage == NC_CHUNKED) must(sv_def_var_chunking(file, number, SV_CHUNKED, lengths.data()));
  if (variable.storage == NC_CONTIGUOUS) must(sv_def_var_chunking(file, number, SV_CONTIGUOUS, nullptr));
  must(sv_def_var_deflate(file, number, variable.shuffle, 0));
  if (variable.fletcher32 != 0) must(sv_def_var_fletcher32(file, number, 1));
  for (const VariableDefinition::Filter &each : variable.filters)
    must(sv_def_var_filter(file, number, each.id, each.params.size(), each.params.data()));
  if (variable.endian != NC_ENDIAN_NATIVE) must(sv_def_var_endian(file, number, variable.endian));
}

std::vector<std::string> strings_of(const sv_file *file, int variable, const AttributeDefinition &attribute) {
  std::vector<char *> values(attribute.count + 1, nullptr);
  must(sv_get_att_string(file, variable, attribute.name.c_str(), values.data()));
  std::vector<std::string> strings(values.begin(), values.end() - 1);
  must(sv_free_string(static_cast<int64_t>(attribute.count), values.data()));
  return strings;
}

bool is_same(const sv_file *file, int variable, const AttributeDefinition &attribute) {
  int known_type = 0;
  int64_t known = 0, width = 0;
  if (sv_inq_att(file, variable, attribute.name.c_str(), &known_type, &known) != SV_OK) return false;
  if (known_type != attribute.base || known != static_cast<int64_t>(attribute.count)) return false;
  if (attribute.type == NC_STRING) return strings_of(file, variable, attribute) == attribute.strings;
  std::vector<uint64_t> own(attribute.count + 1);
  must(sv_get_att(file, variable, attribute.name.c_str(), attribute.base, own.data()));
  must(sv_inq_type(attribute.base, nullptr, &width));
  return std::memcmp(own.data(), attribute.values.data(), attribute.count * static_cast<size_t>(width)) == 0;
}

void put_attribute(const AttributeDefinition &attribute, sv_file *file, int variable) {
  const char *const name = attribute.name.c_str();
  const auto count = static_cast<int64_t>(attribute.count);
  std::vector<const char *> strings;
  for (const std::string &each : attribute.strings) strings.push_back(each.c_str());
  must(attribute.type == NC_STRING ? sv_put_att_string(file, variable, name, count, strings.data())
                                   : sv_put_att(file, variable, name, attribute.base, count, attribute.values.data()));
}

void bring_attributes(const std::vector<AttributeDefinition> &attributes, sv_file *file, int variable) {
  for (const AttributeDefinition &each : attributes)
    if (!is_same(file, variable, each)) put_attribute(each, file, variable);
  int known = 0;
  must(variable < 0 ? sv_inq_grp_natts(file, SV_GLOBAL - variable, &known)
                    : sv_inq_var(file, variable, nullptr, nullptr, nullptr, nullptr, &known));
  for (int a = known; a-- > 0 && known > std::ssize(attributes);) {
    char name[SV_MAX_NAME];
    must(sv_inq_attname(file, variable, a, name));
    const auto has_name = [&name](const AttributeDefinition &each) { return each.name == name; };
    const bool stays = std::any_of(attributes.begin(), attributes.end(), has_name);
    if (!stays) must(sv_del_att(file, variable, name));
  }
}

/// What `file`, whose definitions they become, lacks of these.
class FileBringer {
 public:
  FileBringer(const Definitions &definitions, sv_file *file) : all_(definitions), file_(file) {}

  void bring() const {
    int dims = 0, variables = 0;
    must(sv_inq(file_, &dims, &variables, nullptr, nullptr));
    for (int g = 0; g < std::ssize(all_.groups); ++g) bring_group(g);
    for (int d = 0; d < std::ssize(all_.dims); ++d) bring_dimension(d, d >= dims);
    for (int v = 0; v < std::ssize(all_.variables); ++v) bring_variable(v, v >= variables);
  }

 private:
  void bring_group(int number) const;
  void bring_dimension(int number, bool is_new) const;
  void bring_variable(int number, bool is_new) const;
  void name_integers(int number) const;

  const Definitions &all_;
  sv_file *file_;
};

void FileBringer::bring_group(int number) const {
  const GroupDefinition &group = all_.groups[static_cast<size_t>(number)];
  char known[SV_MAX_NAME];
  int made = -1;
  if (sv_inq_grpname(file_, number, known) != SV_OK) must(sv_def_grp(file_, group.parent, group.name.c_str(), &made));
  bring_attributes(group.attributes, file_, SV_GROUP(number));
}

void FileBringer::bring_dimension(int number, bool is_new) const {
  const DimensionDefinition &dim = all_.dims[static_cast<size_t>(number)];
  const std::string path = all_.path_of(dim.group, dim.name);
  const int64_t length = dim.is_unlimited ? SV_UNLIMITED : static_cast<int64_t>(dim.length);
  char known[SV_MAX_NAME];
  int made = -1;
  if (is_new) return must(sv_def_dim(file_, path.c_str(), length, &made));
  must(sv_inq_dim(file_, number, known, nullptr));
  if (path != known) must(sv_rename_dim(file_, number, dim.name.c_str()));
}

void FileBringer::name_integers(int number) const {
  const int enumeration = all_.variables[static_cast<size_t>(number)].enumeration;
  if (enumeration < 0) return;
  const EnumDefinition &of = all_.enums[static_cast<size_t>(enumeration)];
  std::vector<const char *> names;
  std::vector<int64_t> values;
  for (const EnumDefinition::Member &each : of.members) {
    names.push_back(each.name.c_str());
    values.push_back(integer_of(of.base, each));
  }
  must(sv_def_var_enum(file_, number, of.name.c_str(), static_cast<int>(names.size()), names.data(), values.data()));
}

void FileBringer::bring_variable(int number, bool is_new) const {
  const VariableDefinition &variable = all_.variables[static_cast<size_t>(number)];
  const std::string path = all_.path_of(variable.group, variable.name);
  char known[SV_MAX_NAME];
  int made = -1;
  if (is_new) {
    must(sv_def_var(file_, path.c_str(), variable.type, static_cast<int>(variable.dims.size()), variable.dims.data(),
                    &made));
    name_integers(number);
    store_as(file_, number, variable);
    if (variable.no_fill != 0) must(sv_def_var_nofill(file_, number, 1));
  } else {
    must(sv_inq_var(file_, number, known, nullptr, nullptr, nullptr, nullptr));
    if (path != known) must(sv_rename_var(file_, number, variable.name.c_str()));
  }
  bring_attributes(variable.attributes, file_, number);
}

}  // namespace

void bring_to_sverdrup(const Definitions &definitions, sv_file *file) { FileBringer(definitions, file).bring(); }

bool stand_alike(const Definitions &definitions, const sv_file *file) {
  char name[SV_MAX_NAME];
  const auto is_called = [&name](int status, const std::string &path) { return status == SV_OK && path == name; };
  for (int g = 1; g < std::ssize(definitions.groups); ++g)
    if (!is_called(sv_inq_grpname_full(file, g, name), definitions.groups[static_cast<size_t>(g)].path)) return false;
  for (int d = 0; d < std::ssize(definitions.dims); ++d) {
    const DimensionDefinition &dim = definitions.dims[static_cast<size_t>(d)];
    if (!is_called(sv_inq_dim(file, d, name, nullptr), definitions.path_of(dim.group, dim.name))) return false;
  }
  for (int v = 0; v < std::ssize(definitions.variables); ++v) {
    const VariableDefinition &each = definitions.variables[static_cast<size_t>(v)];
    if (!is_called(sv_inq_var(file, v, name, nullptr, nullptr, nullptr, nullptr),
                   definitions.path_of(each.group, each.name)))
      return false;
  }
  return true;
}

}  // namespace sv::netcdf4
