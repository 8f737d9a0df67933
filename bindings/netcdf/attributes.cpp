// Attributes.
#include <algorithm>
#include <cstring>
#include <limits>

#include "base/arithmetic.hpp"
#include "calls.hpp"
#include "changing.hpp"
#include "convert.hpp"
#include "names.hpp"

namespace sv::netcdf {

namespace {

Attribute *find(Dataset &own, int variable, const std::string &name) {
  auto &list = own.attributes_of(variable);
  const int at = NameIndex::has_use(list) ? own.attributes[variable].find(list, name) : NameIndex().find(list, name);
  return at < 0 ? nullptr : &list[static_cast<size_t>(at)];
}

int64_t header_bytes(Type type, int64_t count) { return align_up(count * size_of(type), 4); }

bool is_fill_value(int variable, const char *name) {
  return variable != NC_GLOBAL && std::strcmp(name, "_FillValue") == 0;
}

void reverse_each(SmallBytes &values, Type type) {
  const int64_t width = size_of(type);
  for (std::byte *at = values.begin(); at != values.end(); at += width) std::reverse(at, at + width);
}

/// In the byte order of this machine, as schemas have them. False where a value does not fit.
bool store(Attribute &attribute, Type memory, const void *values, bool is_cdf5) {
  const Type stored = type_in_file(attribute.type, memory, is_cdf5);
  attribute.values.resize(static_cast<size_t>(attribute.count * size_of(stored)));
  const bool good = to_file(memory, stored)(static_cast<const std::byte *>(values), size_of(memory),
                                            attribute.values.data(), attribute.count);
  reverse_each(attribute.values, stored);
  return good;
}

void check_new(const NewAttribute &attribute, const void *values) {
  refuse_if(attribute.length > size_t{std::numeric_limits<int32_t>::max()}, NC_EINVAL);
  refuse_if(attribute.length != 0 && values == nullptr, NC_EINVAL);
}

}  // namespace

const Attribute &Dataset::attribute(int variable, const char *name) {
  const Attribute *const attribute = find(*this, variable, wanted_name(name));
  refuse_if(attribute == nullptr, NC_ENOTATT);
  return *attribute;
}

int Dataset::attribute_place(int variable, const char *name) {
  return static_cast<int>(&attribute(variable, name) - attributes_of(variable).data());
}

int put_att(Dataset &own, const NewAttribute &attribute, nc_type memory, const void *values) {
  refuse_if(!own.file->is_writable(), NC_EPERM);
  auto &list = own.attributes_of(attribute.variable);
  refuse_if(attribute.name == nullptr, NC_EBADNAME);
  check_type(own, attribute.type);
  const Type in_memory = memory_type(memory, static_cast<Type>(attribute.type));
  check_new(attribute, values);
  const bool defining = own.file->is_defining();
  Attribute *known = find(own, attribute.variable, wanted_name(attribute.name));
  Attribute made{"", static_cast<Type>(attribute.type), static_cast<int64_t>(attribute.length), {}};
  refuse_if(
      !defining && (known == nullptr || header_bytes(made.type, made.count) > header_bytes(known->type, known->count)),
      NC_ENOTINDEFINE);
  made.name = defining ? checked_name(attribute.name) : known->name;
  const bool good = store(made, in_memory, values, own.is_cdf5());
  known != nullptr ? static_cast<void>(*known = std::move(made)) : list.push_back(std::move(made));
  if (!defining) own.file->change_header(is_fill_value(attribute.variable, attribute.name));
  return good ? NC_NOERR : NC_ERANGE;
}

int get_att(Dataset &own, int variable, const char *name, nc_type memory, void *values) {
  const Attribute &attribute = own.attribute(variable, name);
  if (attribute.count == 0) return NC_NOERR;
  const Type in_memory = memory_type(memory, attribute.type);
  const Type stored = type_in_file(attribute.type, in_memory, own.is_cdf5());
  SmallBytes in_file_order = attribute.values;
  reverse_each(in_file_order, stored);
  const bool good = from_file(stored, in_memory)(in_file_order.data(), static_cast<std::byte *>(values),
                                                 size_of(in_memory), attribute.count);
  return good ? NC_NOERR : NC_ERANGE;
}

int inq_attname(Dataset &own, int variable, int number, char *name) {
  const auto &list = own.attributes_of(variable);
  refuse_if(number < 0 || number >= std::ssize(list), NC_ENOTATT);
  return assign_name(name, list[static_cast<size_t>(number)].name);
}

int rename_att(Dataset &own, int variable, const char *name, const char *new_name) {
  refuse_if(!own.file->is_writable(), NC_EPERM);
  own.attributes_of(variable);  // checks the id
  const std::string own_name = checked_name(new_name);
  Attribute *const attribute = find(own, variable, wanted_name(name));
  refuse_if(attribute == nullptr, NC_ENOTATT);
  refuse_if(find(own, variable, own_name) != nullptr, NC_ENAMEINUSE);
  rename(own, attribute->name, own_name, is_fill_value(variable, name) || is_fill_value(variable, new_name));
  own.attributes.erase(variable);
  return NC_NOERR;
}

int del_att(Dataset &own, int variable, const char *name) {
  refuse_if(!own.file->is_defining(), NC_ENOTINDEFINE);
  auto &list = own.attributes_of(variable);
  const Attribute *const attribute = find(own, variable, wanted_name(name));
  refuse_if(attribute == nullptr, NC_ENOTATT);
  list.erase(list.begin() + (attribute - list.data()));
  own.attributes.erase(variable);
  return NC_NOERR;
}

}  // namespace sv::netcdf
