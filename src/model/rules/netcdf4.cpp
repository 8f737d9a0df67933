#include "model/rules/netcdf4.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "model/enumeration.hpp"
#include "model/variable_storage.hpp"

namespace sv::enhanced {

namespace {

struct Uses {
  bool leads = false, follows = false;  // in any variable
};

std::vector<Uses> uses_of_dimensions(const Schema &schema) {
  std::vector<Uses> uses(schema.dims.size());
  for (const Variable &each : schema.variables)
    for (size_t d = 0; d < each.dims.size(); ++d) {
      Uses &of = uses[static_cast<size_t>(each.dims[d])];
      (d == 0 ? of.leads : of.follows) = true;
    }
  return uses;
}

int chosen_dimension(const Schema &schema) {
  const std::vector<Uses> uses = uses_of_dimensions(schema);
  int unused = -1;
  for (int d = 0; d < std::ssize(schema.dims); ++d) {
    const auto &[leads, follows] = uses[static_cast<size_t>(d)];
    if (!schema.is_unlimited(d) || follows) continue;
    if (leads) return d;
    if (unused < 0) unused = d;
  }
  return unused;
}

}  // namespace

void choose_record_dimension(Schema &schema) {
  const int before = schema.record_dim(), chosen = chosen_dimension(schema);
  if (chosen != before) {
    if (before >= 0 && schema.records > 0)
      throw Error(Status::define,
                  "'" + schema.dims[static_cast<size_t>(before)].name +
                      "' counts records of the file, and would stand behind another dimension",
                  "Put it first (in Fortran: last), or define another dimension");
    if (before >= 0) {
      Dimension &dim = schema.dims[static_cast<size_t>(before)];
      dim.is_record = false;
      dim.grows = true;
    }
    if (chosen >= 0) {
      Dimension &dim = schema.dims[static_cast<size_t>(chosen)];
      schema.records = std::exchange(dim.length, 0);
      dim.is_record = true;
      dim.grows = false;
    }
  }
  schema.mark_records();
}

namespace {

bool is_same(const Dimension &one, const Dimension &other) {
  return one.name == other.name && one.length == other.length && one.is_record == other.is_record &&
         one.grows == other.grows;
}

bool has_its_groups(const Schema &before, const Schema &after) {
  return before.groups.size() <= after.groups.size() &&
         std::equal(before.groups.begin(), before.groups.end(), after.groups.begin(),
                    [](const Group &one, const Group &other) { return one.name == other.name; });
}

bool has_same_groups(const Schema &one, const Schema &other) {
  const auto is_same_value = [](const Attribute &a, const Attribute &b) {
    return a.name == b.name && a.type == b.type && a.values == b.values;
  };
  const auto is_same_group = [&](const Group &a, const Group &b) {
    return a.name == b.name && std::ranges::equal(a.attributes, b.attributes, is_same_value);
  };
  return std::ranges::equal(one.groups, other.groups, is_same_group);
}

/// The requested or found storage, in the same words.
std::vector<int64_t> storage_numbers(const Variable &variable) {
  if (variable.storage == nullptr) return {};
  VariableStorage storage = *variable.storage;
  storage.is_found = false;
  storage.others.clear();
  return encoded(storage);
}

}  // namespace

bool is_stored_alike(const Variable &one, const Variable &other) {
  return storage_numbers(one) == storage_numbers(other);
}

bool only_lengthens(const Schema &before, const Schema &after) {
  const auto is_shorter = [](const Dimension &one, const Dimension &other) {
    return one.grows && one.length < other.length;
  };
  return before.variables.size() == after.variables.size() &&
         std::ranges::equal(before.dims, after.dims, {}, &Dimension::name, &Dimension::name) &&
         std::mismatch(before.dims.begin(), before.dims.end(), after.dims.begin(), std::not_fn(is_shorter)).first !=
             before.dims.end();
}

bool only_adds(const Schema &before, const Schema &after) {
  const size_t dims = before.dims.size(), variables = before.variables.size();
  if (!(is_netcdf4(after.format) ? has_its_groups(before, after) : has_same_groups(before, after))) return false;
  if (before.format != after.format || after.dims.size() < dims || after.variables.size() < variables) return false;
  if (!std::equal(before.dims.begin(), before.dims.end(), after.dims.begin(), is_same)) return false;
  const auto has_names = [](const Variable &each) { return each.enumeration != nullptr; };
  if (std::any_of(after.variables.begin() + static_cast<std::ptrdiff_t>(variables), after.variables.end(), has_names))
    return false;  // a type would be added, too
  for (size_t v = 0; v < variables; ++v) {
    const Variable &old = before.variables[v], &now = after.variables[v];
    if (old.name != now.name || old.type != now.type || old.dims != now.dims || old.has_records != now.has_records ||
        before.fill_value(old) != after.fill_value(now) || !is_stored_alike(old, now) || !is_named_alike(old, now) ||
        old.no_fill != now.no_fill)
      return false;
    const auto has_its_name = [&old](const Dimension &added) { return added.name == old.name; };
    if (std::any_of(after.dims.begin() + static_cast<std::ptrdiff_t>(dims), after.dims.end(), has_its_name))
      return false;
  }
  return true;
}

void leave_out_reserved(Schema &schema) {
  static constexpr std::array<std::string_view, 14> reserved{
      "_NCProperties",  "_Netcdf4Dimid", "_Netcdf4Coordinates", "_nc3_strict",       "_IsNetcdf4", "_SuperblockVersion",
      "_Format",        "_Codecs",       "_NCZARR_ATTR",        "_ARRAY_DIMENSIONS", "CLASS",      "NAME",
      "DIMENSION_LIST", "REFERENCE_LIST"};
  const auto is_reserved = [](const Attribute &each) {
    return std::find(reserved.begin(), reserved.end(), each.name) != reserved.end();
  };
  const auto leave_out = [&](std::vector<Attribute> &attributes, const std::string &owner) {
    for (const Attribute &each : attributes)
      if (is_reserved(each))
        schema.omissions.push_back({"attribute '" + each.name + "'" + owner,
                                    "it is left out, since netCDF-4 keeps this name for itself", false});
    std::erase_if(attributes, is_reserved);
  };
  if (!is_netcdf4(schema.format)) return;
  leave_out(schema.attributes, "");
  for (Group &each : schema.groups) leave_out(each.attributes, " of group '" + each.name + "'");
  for (Variable &each : schema.variables) leave_out(each.attributes, " of variable '" + each.name + "'");
}

}  // namespace sv::enhanced
