#include "model/enumeration.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <sstream>
#include <utility>

#include "base/convert.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"

namespace sv {

namespace {

constexpr const char *values_name = "flag_values", *meanings_name = "flag_meanings";

bool is_integer(Type type) {
  return type != Type::text && type != Type::string && type != Type::float32 && type != Type::float64;
}

/// The bytes of a value in an integer type; nothing where the type does not hold it.
std::optional<Element> in_type(int64_t value, Type type) {
  Element made{};
  const auto pack = pack_row(Type::int64, type, ByteOrder::native);
  if (pack(reinterpret_cast<const std::byte *>(&value), sizeof value, made.data(), 1) > 0) return std::nullopt;
  return made;
}

/// The values of an attribute of integers; none where it holds others.
std::vector<int64_t> integers_of(const Attribute &attribute) {
  if (!is_integer(attribute.type)) return {};
  std::vector<int64_t> values(static_cast<size_t>(attribute.count));
  const auto unpack = unpack_row(attribute.type, Type::int64, ByteOrder::native);
  auto *const to = reinterpret_cast<std::byte *>(values.data());
  if (unpack(attribute.values.data(), to, sizeof(int64_t), attribute.count) > 0) return {};
  return values;
}

/// CF separates names by blanks.
std::string meanings_of(const Enumeration &names) {
  std::string text;
  for (const auto &[name, value] : names.members) {
    std::string word = name;
    std::ranges::replace(word, ' ', '_');
    text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

Attribute values_of(const Enumeration &names, Type type) {
  Attribute made{values_name, type, std::ssize(names.members), {}};
  for (const auto &[name, value] : names.members) {
    const Element bytes = in_type(value, type).value_or(Element{});
    made.values.append(std::span(bytes).first(static_cast<size_t>(size_of(type))));
  }
  return made;
}

}  // namespace

void check_enumeration(const Schema &schema, const Variable &variable, const Enumeration &names) {
  const auto refuse = [](Status status, const std::string &cause, const std::string &remedy) {
    return Error(status, cause, remedy);
  };
  if (!is_integer(variable.type))
    throw refuse(Status::type, "names of values of type " + std::string(name_of(variable.type)),
                 "Define a variable of an integer type");
  check_name(names.name);
  if (names.members.empty()) throw refuse(Status::define, "an enumeration without names", "Give a name for each value");
  std::set<std::string> known;
  std::set<int64_t> values;
  for (const auto &[name, value] : names.members) {
    check_name(name);
    if (!known.insert(name).second || !values.insert(value).second)
      throw refuse(Status::define, "the name '" + printable(name) + "' or its value is there twice",
                   "Give each value one name");
    if (!in_type(value, variable.type))
      throw refuse(Status::range,
                   "the value " + std::to_string(value) + " of '" + printable(name) + "' does not fit the type " +
                       std::string(name_of(variable.type)),
                   "Use a wider type");
  }
  for (const Variable &each : schema.variables)
    if (each.enumeration != nullptr && each.enumeration->name == names.name && &each != &variable &&
        (!(*each.enumeration == names) || each.type != variable.type))
      throw refuse(Status::define,
                   "the enumeration '" + printable(names.name) + "' has other members, or another type, in '" +
                       printable(each.name) + "'",
                   "Give it another name");
}

bool is_named_alike(const Variable &one, const Variable &other) {
  if (one.enumeration == nullptr || other.enumeration == nullptr) return one.enumeration == other.enumeration;
  return *one.enumeration == *other.enumeration;
}

std::optional<Enumeration> names_of_integers(const Variable &variable) {
  if (variable.enumeration != nullptr) return *variable.enumeration;
  const Attribute *const values = find_attribute(variable.attributes, values_name);
  const Attribute *const meanings = find_attribute(variable.attributes, meanings_name);
  if (values == nullptr || meanings == nullptr || !is_integer(variable.type)) return std::nullopt;
  Enumeration made;
  std::istringstream words(text_of(*meanings).value_or(""));
  const std::vector<int64_t> numbers = integers_of(*values);
  for (std::string word; words >> word && made.members.size() < numbers.size();)
    made.members.push_back({word, numbers[made.members.size()]});
  return made.members.empty() ? std::nullopt : std::optional(std::move(made));
}

void enumerations_to_attributes(Schema &schema) {
  if (schema.format == Format::netcdf4) return;
  for (Variable &each : schema.variables) {
    if (each.enumeration == nullptr) continue;
    const Enumeration &names = *each.enumeration;
    if (find_attribute(each.attributes, values_name) == nullptr) each.attributes.push_back(values_of(names, each.type));
    if (find_attribute(each.attributes, meanings_name) == nullptr)
      each.attributes.push_back(text_attribute(meanings_name, meanings_of(names)));
    each.enumeration = nullptr;
  }
}

}  // namespace sv
