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
  if (known_type != attribute.type || known != static_cast<int64_t>(attribute.count)) return false;
  if (attribute.type == NC_STRING) return strings_of(file, variable, attribute) == attribute.strings;
  std::vector<uint64_t> own(attribute.count + 1);
  must(sv_get_att(file, variable, attribute.name.c_str(), attribute.type, own.data()));
  must(sv_inq_type(attribute.type, nullptr, &width));
  return std::memcmp(own.data(), attribute.values.data(), attribute.count * static_cast<size_t>(width)) == 0;
}

void put_attribute(const AttributeDefinition &attribute, sv_file *file, int variable) {
  const char *const name = attribute.name.c_str();
  const auto count = static_cast<int64_t>(attribute.count);
  std::vector<const char *> strings;
  for (const std::string &each : attribute.strings) strings.push_back(each.c_str());
  must(attribute.type == NC_STRING ? sv_put_att_string(file, variable, name, count, strings.data())
                                   : sv_put_att(file, variable, name, attribute.type, count, attribute.values.data()));
}

void bring_attributes(const std::vector<AttributeDefinition> &attributes, sv_file *file, int variable) {
  for (const AttributeDefinition &each : attributes)
    if (!is_same(file, variable, each)) put_attribute(each, file, variable);
  int known = 0;
  must(variable == NC_GLOBAL ? sv_inq(file, nullptr, nullptr, &known, nullptr)
                             : sv_inq_var(file, variable, nullptr, nullptr, nullptr, nullptr, &known));
  for (int a = known; a-- > 0 && known > std::ssize(attributes);) {
    char name[SV_MAX_NAME];
    must(sv_inq_attname(file, variable, a, name));
    const auto has_name = [&name](const AttributeDefinition &each) { return each.name == name; };
    const bool stays = std::any_of(attributes.begin(), attributes.end(), has_name);
    if (!stays) must(sv_del_att(file, variable, name));
  }
}

void bring_dimension(const DimensionDefinition &dim, sv_file *file, int number, bool is_new) {
  char known[SV_MAX_NAME];
  int made = -1;
  if (is_new)
    return must(
        sv_def_dim(file, dim.name.c_str(), dim.is_unlimited ? SV_UNLIMITED : static_cast<int64_t>(dim.length), &made));
  must(sv_inq_dim(file, number, known, nullptr));
  if (dim.name != known) must(sv_rename_dim(file, number, dim.name.c_str()));
}

void bring_variable(const VariableDefinition &variable, sv_file *file, int number, bool is_new) {
  char known[SV_MAX_NAME];
  int made = -1;
  if (is_new) {
    must(sv_def_var(file, variable.name.c_str(), variable.type, static_cast<int>(variable.dims.size()),
                    variable.dims.data(), &made));
    store_as(file, number, variable);
    if (variable.no_fill != 0) must(sv_def_var_nofill(file, number, 1));
  } else {
    must(sv_inq_var(file, number, known, nullptr, nullptr, nullptr, nullptr));
    if (variable.name != known) must(sv_rename_var(file, number, variable.name.c_str()));
  }
  bring_attributes(variable.attributes, file, number);
}

}  // namespace

void bring_to_sverdrup(const Definitions &definitions, sv_file *file) {
  int dims = 0, variables = 0;
  must(sv_inq(file, &dims, &variables, nullptr, nullptr));
  for (int d = 0; d < std::ssize(definitions.dims); ++d)
    bring_dimension(definitions.dims[static_cast<size_t>(d)], file, d, d >= dims);
  bring_attributes(definitions.attributes, file, NC_GLOBAL);
  for (int v = 0; v < std::ssize(definitions.variables); ++v)
    bring_variable(definitions.variables[static_cast<size_t>(v)], file, v, v >= variables);
}

}  // namespace sv::netcdf4
