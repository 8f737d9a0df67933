#include "model/schema.hpp"

#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "base/printable.hpp"

namespace sv {

std::string name_of(Format format) {
  switch (format) {
    case Format::automatic:
      return "automatic";
    case Format::netcdf4:
      return "netCDF-4";
    case Format::netcdf4_classic:
      return "netCDF-4 classic model";
    case Format::zarr:
      return "Zarr";
    default:
      return "CDF-" + std::to_string(static_cast<int>(format));
  }
}

int Schema::record_dim() const {
  for (size_t d = 0; d < dims.size(); ++d)
    if (dims[d].is_record) return static_cast<int>(d);
  return -1;
}

int Schema::find_dim(const std::string &name) const {
  for (size_t d = 0; d < dims.size(); ++d)
    if (dims[d].name == name) return static_cast<int>(d);
  return -1;
}

int Schema::find_variable(const std::string &name) const {
  for (size_t v = 0; v < variables.size(); ++v)
    if (variables[v].name == name) return static_cast<int>(v);
  return -1;
}

int Schema::find_group(std::string_view name) const {
  for (size_t g = 0; g < groups.size(); ++g)
    if (groups[g].name == name) return static_cast<int>(g);
  return -1;
}

std::string_view group_of(std::string_view name) {
  const size_t end = name.rfind('/');
  return end == name.npos ? std::string_view() : name.substr(0, end);
}

std::string_view base_of(std::string_view name) { return name.substr(name.rfind('/') + 1); }

bool sees(std::string_view inner, std::string_view outer) {
  if (outer.empty() || inner == outer) return true;
  return inner.size() > outer.size() && inner.starts_with(outer) && inner[outer.size()] == '/';
}

int64_t Schema::length_of(int dim, int64_t record_count) const {
  const Dimension &of = dims[static_cast<size_t>(dim)];
  return of.is_record ? record_count : of.length;
}

Index Schema::slab_shape(const Variable &variable) const {
  Index shape;
  for (const int dim : variable.slab_dims()) shape.push(length_of(dim));
  return shape;
}

bool Schema::has_growing_slab(const Variable &variable) const {
  return std::ranges::any_of(variable.slab_dims(), [this](int dim) { return dims[static_cast<size_t>(dim)].grows; });
}

int64_t Schema::slab_elements(const Variable &variable) const {
  int64_t elements = 1;
  for (const int dim : variable.slab_dims()) elements *= length_of(dim);
  return elements;
}

void Schema::mark_records() {
  for (Variable &variable : variables)
    variable.has_records = !variable.dims.empty() && dims[variable.dims[0]].is_record;
}

Element Schema::fill_value(const Variable &variable) const {
  Element value{};
  if (variable.type == Type::string) return value;
  const Attribute *attribute = find_attribute(variable.attributes, "_FillValue");
  if (attribute != nullptr && attribute->type == variable.type && attribute->count == 1)
    std::copy_n(attribute->values.begin(), size_of(variable.type), value.begin());
  else
    default_fill(variable.type, value.data());
  return value;
}

Attribute text_attribute(const std::string &name, std::string_view text) {
  return {name, Type::text, std::ssize(text), SmallBytes(std::as_bytes(std::span(text)))};
}

Attribute string_attribute(const std::string &name, std::span<const std::string> strings) {
  Attribute made{name, Type::string, std::ssize(strings), {}};
  for (const std::string &each : strings) made.values.append(std::as_bytes(std::span(each.c_str(), each.size() + 1)));
  return made;
}

std::vector<std::string> strings_of(const Attribute &attribute) {
  std::string_view rest(reinterpret_cast<const char *>(attribute.values.data()), attribute.values.size());
  std::vector<std::string> all;
  for (size_t end; (end = rest.find('\0')) != rest.npos; rest.remove_prefix(end + 1))
    all.emplace_back(rest.substr(0, end));
  return all;
}

std::optional<std::string> text_of(const Attribute &attribute) {
  if (attribute.type == Type::string && attribute.count == 1) return strings_of(attribute).front();
  if (attribute.type != Type::text) return std::nullopt;
  return std::string(reinterpret_cast<const char *>(attribute.values.data()), attribute.values.size());
}

const Attribute *find_attribute(const std::vector<Attribute> &attributes, std::string_view name) {
  for (const Attribute &attribute : attributes)
    if (attribute.name == name) return &attribute;
  return nullptr;
}

namespace {

bool is_control(unsigned char byte) { return byte < 0x20 || byte == 0x7F; }

const char *fault_of(const std::string &name) {
  if (name.empty()) return "it is empty";
  if (std::ssize(name) > longest_name) return "it is longer than 256 bytes";
  const auto first = static_cast<unsigned char>(name.front());
  const bool letter = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
  if (first < 0x80 && !letter && !(first >= '0' && first <= '9') && first != '_')
    return "it begins neither with a letter nor a digit nor an underscore";
  if (name.back() == ' ') return "it ends with a blank";
  for (size_t at = 0; at < name.size();) {
    const auto byte = static_cast<unsigned char>(name[at]);
    if (byte == '/') return "it contains '/'";
    if (is_control(byte)) return "it contains a control character";
    const size_t length = byte < 0x80 ? 1 : utf8_length(name, at);
    if (length == 0) return "it is not valid UTF-8";
    at += length;
  }
  return nullptr;
}

}  // namespace

std::vector<std::string> in_words(const std::vector<Omission> &omissions, size_t most) {
  std::vector<std::string> lines;
  for (const Omission &each : omissions) {
    if (lines.size() == most) {
      lines.push_back("and " + std::to_string(omissions.size() - most) + " more of this kind");
      break;
    }
    lines.push_back(printable(each.what) + ": " + printable(each.reason));
  }
  return lines;
}

void check_name(const std::string &name) {
  if (const char *fault = fault_of(name))
    throw Error(Status::define, "the name '" + printable(name) + "' is no netCDF name: " + fault,
                "Use letters, digits and underscores");
}

void check_name_in(const Schema &schema, const std::string &name) {
  const std::string group(group_of(name));
  if (group.empty() || schema.groups.empty()) return check_name(name);
  check_name(std::string(base_of(name)));
  if (schema.find_group(group) < 0)
    throw Error(Status::define, "'" + printable(name) + "' would be in a group that does not exist",
                "Define the group first, with sv_def_grp");
  if (std::ssize(name) > longest_name)
    throw Error(Status::limit, "the name '" + printable(name) + "' is longer than 256 bytes with those of its groups",
                "Use shorter names");
}

void check_record(int64_t record, int64_t records) {
  if (record < records) return;
  throw Error(Status::not_found, "the record does not exist; there are " + std::to_string(records),
              "Read an earlier record, or end the step that writes it first")
      .in_record(record);
}

}  // namespace sv
