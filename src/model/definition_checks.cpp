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
void check_unique(const std::vector<Named> &named, const char *what) {
  std::vector<std::string_view> names;
  names.reserve(named.size());
  for (const Named &one : named) names.push_back(one.name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    misdefined(std::string("two ") + what + " are named '" + std::string(*twice) + "'", "Rename one");
}

template <typename Named>
void check_names(const Schema &schema, const std::vector<Named> &named, const char *what) {
  for (const Named &one : named) check_name_in(schema, one.name);
  check_unique(named, what);
}

void check_attributes(const std::vector<Attribute> &attributes) {
  for (const Attribute &attribute : attributes) check_name(attribute.name);
  check_unique(attributes, "attributes");
  for (const Attribute &attribute : attributes)
    if (attribute.type == Type::string
            ? std::ranges::count(attribute.values, std::byte{}) != attribute.count
            : static_cast<int64_t>(attribute.values.size()) != attribute.count * size_of(attribute.type))
      misdefined("attribute '" + attribute.name + "' does not hold as many values as it says", "Give count values");
}

void check_variable(const Schema &schema, const Variable &variable) {
  check_dimension_count(schema.format, std::ssize(variable.dims));
  for (const int dim : variable.dims)
    if (dim < 0 || dim >= static_cast<int>(schema.dims.size()))
      misdefined("dimension id " + std::to_string(dim) + " does not exist", "Define the dimension first");
  for (const int dim : variable.dims)
    if (const std::string &name = schema.dims[static_cast<size_t>(dim)].name;
        !sees(group_of(variable.name), group_of(name)))
      misdefined("dimension '" + name + "' is in another group", "Define it in the variable's group or an outer one");
  check_attributes(variable.attributes);
}

/// In HDF5 and on disks, a group has no name in common with a variable or a dimension.
void check_groups(const Schema &schema) {
  check_names(schema, schema.groups, "groups");
  for (const Group &group : schema.groups) {
    if (schema.find_variable(group.name) >= 0 || schema.find_dim(group.name) >= 0)
      misdefined("group '" + group.name + "' has the name of a variable or dimension", "Rename one");
    check_attributes(group.attributes);
  }
}

}  // namespace

void check_dimension_count(Format format, int64_t dims) {
  constexpr int most_of_hdf5 = 32;  // H5S_MAX_RANK
  const int most = is_netcdf4(format) ? most_of_hdf5 : max_dims;
  if (dims <= most) return;
  throw Error(Status::limit,
              std::to_string(dims) + " dimensions, and a variable of the format " + name_of(format) + " has at most " +
                  std::to_string(most),
              most < max_dims ? "Join some of them, or choose a CDF format or Zarr" : "Join some of them");
}

void check_definitions(const Schema &schema) {
  check_groups(schema);
  check_names(schema, schema.dims, "dimensions");
  check_names(schema, schema.variables, "variables");
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
  if (!classic::governs(schema.format)) return;
  classic::check_dimensions(schema);
  classic::check_types(schema);
}

}  // namespace sv
