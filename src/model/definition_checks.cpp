#include "model/definition_checks.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "model/rules/classic.hpp"

namespace sv {
namespace {

[[noreturn]] void misdefined(const std::string &cause, const std::string &remedy) {
  throw Error(Status::define, cause, remedy);
}

template <typename Named>
void check_names(const std::vector<Named> &named, const char *what) {
  std::vector<std::string_view> names;
  names.reserve(named.size());
  for (const Named &one : named) {
    check_name(one.name);
    names.push_back(one.name);
  }
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    misdefined(std::string("two ") + what + " are named '" + std::string(*twice) + "'", "Rename one");
}

void check_attributes(const std::vector<Attribute> &attributes) {
  check_names(attributes, "attributes");
  for (const Attribute &attribute : attributes)
    if (static_cast<int64_t>(attribute.values.size()) != attribute.count * size_of(attribute.type))
      misdefined("attribute '" + attribute.name + "' does not hold as many values as it says", "Give count values");
}

void check_variable(const Schema &schema, const Variable &variable) {
  if (variable.dims.size() > max_dims)
    misdefined("it has more than " + std::to_string(max_dims) + " dimensions", "Merge some");
  for (const int dim : variable.dims)
    if (dim < 0 || dim >= static_cast<int>(schema.dims.size()))
      misdefined("dimension id " + std::to_string(dim) + " does not exist", "Define the dimension first");
  check_attributes(variable.attributes);
}

}  // namespace

void check_definitions(const Schema &schema) {
  check_names(schema.dims, "dimensions");
  check_names(schema.variables, "variables");
  check_attributes(schema.attributes);
  for (const Dimension &dim : schema.dims)
    if (!dim.is_unlimited() && dim.length < 1)
      misdefined("dimension '" + dim.name + "' has length " + std::to_string(dim.length), "Lengths begin at 1");
  for (const Variable &variable : schema.variables) {
    try {
      check_variable(schema, variable);
    } catch (Error &error) {
      throw error.in_variable(variable.name);
    }
  }
  if (classic::governs(schema.format)) classic::check_dimensions(schema);
}

}  // namespace sv
