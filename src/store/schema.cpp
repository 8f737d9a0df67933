#include "store/schema.hpp"

#include <algorithm>
#include <cstring>

#include "base/error.hpp"

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

Index Schema::slab_shape(const Variable &variable) const {
  Index shape;
  for (const int d : variable.dims)
    if (!dims[d].is_record) shape.push(dims[d].length);
  return shape;
}

int64_t Schema::slab_elements(const Variable &variable) const { return Box::whole(slab_shape(variable)).elements(); }

void Schema::mark_records() {
  for (Variable &variable : variables)
    variable.has_records = !variable.dims.empty() && dims[variable.dims[0]].is_record;
}

Element Schema::fill_value(const Variable &variable) const {
  Element value{};
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

const Attribute *find_attribute(const std::vector<Attribute> &attributes, std::string_view name) {
  for (const Attribute &attribute : attributes)
    if (attribute.name == name) return &attribute;
  return nullptr;
}

namespace {

// Length of the UTF-8 sequence at `at` (RFC 3629: shortest form, no surrogates, up to U+10FFFF); 0 if malformed.
size_t utf8_length(const std::string &text, size_t at) {
  const auto byte = [&](size_t i) { return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U; };
  const unsigned lead = byte(0);
  const size_t length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  const unsigned second = byte(1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool surrogate = lead == 0xED && second >= 0xA0;
  const bool beyond = lead == 0xF4 && second >= 0x90;
  return overlong || surrogate || beyond ? 0 : length;
}

bool is_control(unsigned char byte) { return byte < 0x20 || byte == 0x7F; }

/// With \x1b and so on for what would move the cursor of a terminal, or is no text.
std::string printable(const std::string &name) {
  constexpr const char *digits = "0123456789abcdef";
  std::string text;
  for (size_t at = 0; at < name.size();) {
    const size_t length = utf8_length(name, at);
    const auto byte = static_cast<unsigned char>(name[at]);
    if (length == 0 || is_control(byte))
      text += std::string("\\x") + digits[byte >> 4U] + digits[byte & 15U];
    else
      text += name.substr(at, length);
    at += std::max<size_t>(length, 1);
  }
  return text;
}

const char *fault_of(const std::string &name) {
  if (name.empty()) return "it is empty";
  if (std::ssize(name) > longest_name) return "it is longer than 255 bytes";
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

void check_name(const std::string &name) {
  if (const char *fault = fault_of(name))
    throw Error(Status::define, "the name '" + printable(name) + "' is no netCDF name: " + fault,
                "Use letters, digits and underscores");
}

void check_record(int64_t record, int64_t records) {
  if (record < records) return;
  throw Error(Status::not_found, "the record does not exist; there are " + std::to_string(records),
              "Read an earlier record, or end the step that writes it first")
      .in_record(record);
}

}  // namespace sv
