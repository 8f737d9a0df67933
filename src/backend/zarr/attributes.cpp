#include "backend/zarr/attributes.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "base/error.hpp"

namespace sv::zarr {

namespace {

constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string base64(const std::byte *bytes, size_t count) {
  std::string text;
  for (size_t at = 0; at < count; at += 3) {
    uint32_t word = 0;
    for (size_t i = 0; i < 3; ++i) word = word << 8U | (at + i < count ? static_cast<uint32_t>(bytes[at + i]) : 0U);
    for (size_t i = 0; i < 4; ++i)
      text += i <= count - at ? base64_digits[word >> (18U - 6U * static_cast<unsigned>(i)) & 63U] : '=';
  }
  return text;
}

std::optional<std::vector<std::byte>> from_base64(std::string_view text) {
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::vector<std::byte> bytes;
  uint32_t word = 0;
  unsigned bits = 0;
  for (const char each : text) {
    const size_t digit = base64_digits.find(each);
    if (digit == std::string_view::npos) return std::nullopt;
    word = (word << 6U | static_cast<uint32_t>(digit)) & 0xFFFFU;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<std::byte>(word >> bits & 0xFFU));
  }
  return bytes;
}

template <class Value>
std::vector<std::byte> bytes_of(Value value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

template <class Value>
Value value_at(const std::byte *bytes) {
  Value value{};
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

/// The shortest number that is read as this one.
template <class Value>
Json real_json(Value value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  double shortest = 0;
  std::from_chars(text.data(), end, shortest);
  return shortest;
}

/// "NaN", "Infinity", "-Infinity", or the bits as "0x7fc00000".
template <class Value, class Bits>
std::optional<Value> real_of_text(const std::string &text) {
  if (text == "NaN") return std::numeric_limits<Value>::quiet_NaN();
  if (text == "Infinity") return std::numeric_limits<Value>::infinity();
  if (text == "-Infinity") return -std::numeric_limits<Value>::infinity();
  Bits bits{};
  if (!text.starts_with("0x")) return std::nullopt;
  const char *const end = text.data() + text.size();
  if (const auto read = std::from_chars(text.data() + 2, end, bits, 16); read.ec != std::errc() || read.ptr != end)
    return std::nullopt;
  return value_at<Value>(bytes_of(bits).data());
}

template <class Value, class Bits>
std::optional<std::vector<std::byte>> real_bytes(const Json &json) {
  if (json.is_number()) return bytes_of(static_cast<Value>(json.get<double>()));
  if (!json.is_string()) return std::nullopt;
  const auto value = real_of_text<Value, Bits>(json.get<std::string>());
  return value ? std::optional(bytes_of(*value)) : std::nullopt;
}

template <class Value>
std::optional<std::vector<std::byte>> whole_bytes(const Json &json) {
  if (json.is_boolean()) return bytes_of(static_cast<Value>(json.get<bool>() ? 1 : 0));
  if (json.is_number_float()) {
    const double value = json.get<double>();
    constexpr double two63 = 9223372036854775808.0;
    if (std::floor(value) != value || std::abs(value) >= two63) return std::nullopt;
    const auto whole = static_cast<int64_t>(value);
    return std::in_range<Value>(whole) ? std::optional(bytes_of(static_cast<Value>(whole))) : std::nullopt;
  }
  if (json.is_number_unsigned()) {
    const auto whole = json.get<uint64_t>();
    return std::in_range<Value>(whole) ? std::optional(bytes_of(static_cast<Value>(whole))) : std::nullopt;
  }
  if (!json.is_number_integer()) return std::nullopt;
  const auto whole = json.get<int64_t>();
  return std::in_range<Value>(whole) ? std::optional(bytes_of(static_cast<Value>(whole))) : std::nullopt;
}

struct NamedType {
  Type type;
  const char *name;
};
constexpr NamedType named_types[] = {{Type::int8, "int8"},       {Type::int16, "int16"},   {Type::int32, "int32"},
                                     {Type::int64, "int64"},     {Type::uint8, "uint8"},   {Type::uint16, "uint16"},
                                     {Type::uint32, "uint32"},   {Type::uint64, "uint64"}, {Type::float32, "float32"},
                                     {Type::float64, "float64"}, {Type::string, "string"}, {Type::int8, "bool"}};

bool is_real(Type type) { return type == Type::float32 || type == Type::float64; }

/// CF: of the type of the variable.
bool is_of_variable_type(const std::string &name) {
  for (const char *one : {"_FillValue", "missing_value", "valid_min", "valid_max", "valid_range", "flag_values",
                          "flag_masks", "actual_range"})
    if (name == one) return true;
  return false;
}

/// Of all elements: the narrowest of int, int64, uint64 and double that holds them.
Type type_of_numbers(const std::vector<Json> &elements) {
  Type type = Type::int32;
  for (const Json &each : elements) {
    if (each.is_number_float() || each.is_string()) return Type::float64;
    if (type == Type::int32 && !value_of(each, Type::int32)) type = Type::int64;
    if (type == Type::int64 && !value_of(each, Type::int64)) type = Type::uint64;
  }
  for (const Json &each : elements)
    if (!value_of(each, type)) return Type::float64;
  return type;
}

bool is_numbers(const std::vector<Json> &elements) {
  return std::all_of(elements.begin(), elements.end(),
                     [](const Json &each) { return each.is_number() || each.is_boolean(); });
}

std::optional<Attribute> numbers_attribute(const std::string &name, const std::vector<Json> &elements, Type type) {
  Attribute made{name, type, std::ssize(elements), {}};
  for (const Json &each : elements) {
    const auto bytes = value_of(each, type);
    if (!bytes) return std::nullopt;
    made.values.append(*bytes);
  }
  return made;
}

std::string joined(const std::vector<Json> &elements) {
  std::string text;
  for (const Json &each : elements) {
    if (!text.empty()) text += ' ';
    text += each.is_string() ? each.get<std::string>() : each.dump();
  }
  return text;
}

/// Nothing where they are not all texts that end nowhere but at their ends.
std::optional<Attribute> strings_attribute(const std::string &name, const std::vector<Json> &elements) {
  std::vector<std::string> strings;
  for (const Json &each : elements) {
    if (!each.is_string()) return std::nullopt;
    strings.push_back(each.get<std::string>());
    if (strings.back().find('\0') != std::string::npos) return std::nullopt;
  }
  return string_attribute(name, strings);
}

/// xarray has the _FillValue of a real variable as the bytes of a double in base64.
std::optional<double> coded_real(const Json &value) {
  if (!value.is_string()) return std::nullopt;
  const auto bytes = from_base64(value.get<std::string>());
  if (!bytes || bytes->size() != sizeof(double)) return std::nullopt;
  return value_at<double>(bytes->data());
}

}  // namespace

Json number(Type type, const std::byte *value) {
  switch (type) {
    case Type::int8:
      return value_at<int8_t>(value);
    case Type::text:
    case Type::uint8:
      return value_at<uint8_t>(value);
    case Type::int16:
      return value_at<int16_t>(value);
    case Type::uint16:
      return value_at<uint16_t>(value);
    case Type::int32:
      return value_at<int32_t>(value);
    case Type::uint32:
      return value_at<uint32_t>(value);
    case Type::int64:
      return value_at<int64_t>(value);
    case Type::uint64:
      return value_at<uint64_t>(value);
    case Type::string:
      return nullptr;
    case Type::float32:
      return real_json(value_at<float>(value));
    case Type::float64:
      break;
  }
  return real_json(value_at<double>(value));
}

std::optional<std::vector<std::byte>> value_of(const Json &json, Type type) {
  switch (type) {
    case Type::int8:
      return whole_bytes<int8_t>(json);
    case Type::text:
    case Type::uint8:
      return whole_bytes<uint8_t>(json);
    case Type::int16:
      return whole_bytes<int16_t>(json);
    case Type::uint16:
      return whole_bytes<uint16_t>(json);
    case Type::int32:
      return whole_bytes<int32_t>(json);
    case Type::uint32:
      return whole_bytes<uint32_t>(json);
    case Type::int64:
      return whole_bytes<int64_t>(json);
    case Type::uint64:
      return whole_bytes<uint64_t>(json);
    case Type::string:
      return std::nullopt;
    case Type::float32:
      return real_bytes<float, uint32_t>(json);
    case Type::float64:
      break;
  }
  return real_bytes<double, uint64_t>(json);
}

Json fill_json(Type type, const std::vector<std::byte> &fill) {
  if (type == Type::string) return as_utf8({reinterpret_cast<const char *>(fill.data()), fill.size()});
  return type == Type::text ? Json(base64(fill.data(), fill.size())) : number(type, fill.data());
}

std::optional<std::vector<std::byte>> fill_of(const Json &json, Type type) {
  if (type != Type::text && type != Type::string) return value_of(json, type);
  if (!json.is_string()) return std::nullopt;
  if (type == Type::string) {
    const auto text = json.get<std::string>();
    const auto *const begin = reinterpret_cast<const std::byte *>(text.data());
    return std::vector<std::byte>(begin, begin + text.size());
  }
  auto bytes = from_base64(json.get<std::string>());
  if (!bytes || bytes->size() > 1) return std::nullopt;
  bytes->resize(1);
  return bytes;
}

Json attribute_json(const Attribute &attribute) {
  const auto *const bytes = attribute.values.data();
  if (attribute.type == Type::text) return as_utf8({reinterpret_cast<const char *>(bytes), attribute.values.size()});
  if (attribute.type == Type::string) {
    Json list = Json::array();
    for (const std::string &each : strings_of(attribute)) list.push_back(as_utf8(each));
    return attribute.count == 1 ? list.front() : list;
  }
  const int64_t width = size_of(attribute.type);
  if (attribute.name == "_FillValue" && attribute.count == 1 && is_real(attribute.type)) {
    const double value = attribute.type == Type::float32 ? value_at<float>(bytes) : value_at<double>(bytes);
    return base64(bytes_of(value).data(), sizeof value);
  }
  if (attribute.count == 1) return number(attribute.type, bytes);
  Json list = Json::array();
  for (int64_t i = 0; i < attribute.count; ++i) list.push_back(number(attribute.type, bytes + i * width));
  return list;
}

Attribute attribute_of(const std::string &name, const Json &value, std::optional<Type> declared,
                       std::optional<Type> of) {
  std::vector<Json> elements;
  if (value.is_array())
    elements.assign(value.begin(), value.end());
  else
    elements.push_back(value);
  const bool is_list = value.is_array() && !elements.empty();
  if (declared == Type::string || (!declared && is_list && !(of && is_of_variable_type(name))))
    if (const auto made = strings_attribute(name, elements)) return *made;
  if (name == "_FillValue" && of && is_real(*of))
    if (const auto real = coded_real(value)) elements = {real_json(*real)};
  std::vector<Type> types;
  if (declared && *declared != Type::text) types.push_back(*declared);
  if (!declared && of && *of != Type::text && is_of_variable_type(name)) types.push_back(*of);
  if (declared != Type::text && !elements.empty() && is_numbers(elements)) types.push_back(type_of_numbers(elements));
  for (const Type type : types)
    if (auto made = numbers_attribute(name, elements, type)) return *made;
  return text_attribute(name, joined(elements));
}

bool has_type(const Attribute &attribute, std::optional<Type> of) {
  const Attribute found = attribute_of(attribute.name, attribute_json(attribute), std::nullopt, of);
  return found.type == attribute.type && found.values == attribute.values;
}

Json data_type(Type type) {
  if (type == Type::text) return {{"name", "null_terminated_bytes"}, {"configuration", {{"length_bytes", 1}}}};
  for (const NamedType &each : named_types)
    if (each.type == type) return each.name;
  return nullptr;
}

std::optional<Type> type_of(const Json &data_type) {
  if (data_type == zarr::data_type(Type::text)) return Type::text;
  const Json name = data_type.is_object() && data_type.contains("name") ? data_type["name"] : data_type;
  for (const NamedType &each : named_types)
    if (name == each.name) return each.type;
  return std::nullopt;
}

std::string as_utf8(std::string_view text) {
  std::string whole(text);
  try {
    static_cast<void>(nlohmann::json(whole).dump());
    return whole;
  } catch (const nlohmann::json::exception &) {
    whole.clear();
  }
  for (const char each : text) {
    const auto byte = static_cast<unsigned char>(each);
    if (byte >= 0x80) whole += static_cast<char>(0xC0U | byte >> 6U);
    whole += static_cast<char>(byte < 0x80 ? byte : 0x80U | (byte & 0x3FU));
  }
  return whole;
}

}  // namespace sv::zarr
