// Where variables stand, and the limits of the formats: "The NetCDF Classic Format Specification" (Unidata) and "CDF-5
// File Format Specification" (PnetCDF).
#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "base/arithmetic.hpp"
#include "base/error.hpp"
#include "store/extent.hpp"
#include "store/header_format.hpp"
#include "store/schema.hpp"

namespace sv {
namespace {

struct Limits {
  int64_t dimension, slab, begin;
  bool wide_types;
};

Limits limits_of(Format format) {
  constexpr int64_t two31 = int64_t{1} << 31, two32 = int64_t{1} << 32;
  if (format == Format::cdf1) return {two31 - 4, two31 - 4, two31 - 1, false};
  if (format == Format::cdf2) return {two31 - 4, two32 - 4, INT64_MAX, false};
  return {INT64_MAX / 2, INT64_MAX / 2, INT64_MAX, format != Format::netcdf4_classic};
}

Error breach(Format format, const std::string &what) {
  return Error(Status::limit, what + ", which is beyond the limits of " + name_of(format),
               format == Format::netcdf4_classic ? "Set the format to netcdf4" : "Set the format to auto or cdf5");
}

[[noreturn]] void misdefined(const std::string &cause, const std::string &remedy) {
  throw Error(Status::define, cause, remedy);
}

template <typename Named>
void check_names(const std::vector<Named> &named, const std::string &what) {
  std::set<std::string> seen;
  for (const Named &one : named) {
    check_name(one.name);
    if (!seen.insert(one.name).second) misdefined("two " + what + " are named '" + one.name + "'", "Rename one");
  }
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
  for (size_t d = 0; d < variable.dims.size(); ++d) {
    const int dim = variable.dims[d];
    if (dim < 0 || dim >= static_cast<int>(schema.dims.size()))
      misdefined("dimension id " + std::to_string(dim) + " does not exist", "Define the dimension first");
    if (d > 0 && schema.dims[dim].is_record)
      misdefined("the record dimension stands behind another one", "Let the record dimension vary slowest");
  }
  check_attributes(variable.attributes);
}

void check_definitions(const Schema &schema) {
  check_names(schema.dims, "dimensions");
  check_names(schema.variables, "variables");
  check_attributes(schema.attributes);
  int records = 0;
  for (const Dimension &dim : schema.dims) {
    if (dim.is_record && ++records > 1)
      misdefined("'" + dim.name + "' is a second record dimension", "Give it a length");
    if (!dim.is_record && dim.length < 1)
      misdefined("dimension '" + dim.name + "' has length " + std::to_string(dim.length), "Lengths begin at 1");
  }
  for (const Variable &variable : schema.variables) {
    try {
      check_variable(schema, variable);
    } catch (Error &error) {
      throw error.in_variable(variable.name);
    }
  }
}

bool needs_cdf5(const std::vector<Attribute> &attributes) {
  return std::any_of(attributes.begin(), attributes.end(), [](const Attribute &a) { return needs_cdf5(a.type); });
}

// A variable behind which no other's offset has to be found may have any size: the last record variable, or the last
// variable of a file without record variables.
bool is_last(const Schema &schema, const Variable &variable) {
  const auto same = [&](const Variable &other) { return other.has_records || !variable.has_records; };
  const auto last = std::find_if(schema.variables.rbegin(), schema.variables.rend(), same);
  return &*last == &variable && (variable.has_records || schema.record_bytes == 0);
}

// The first limit of `format` that the schema breaks. `last_may_exceed`: whether to use the exception for the last
// variable, which the formats allow but not every tool knows.
std::optional<Error> find_breach(const Schema &schema, Format format, bool last_may_exceed) {
  const Limits limits = limits_of(format);
  for (const Dimension &dim : schema.dims)
    if (dim.length > limits.dimension)
      return breach(format, "dimension '" + dim.name + "' has " + std::to_string(dim.length) + " elements");
  if (!limits.wide_types && needs_cdf5(schema.attributes))
    return breach(format, "a global attribute is of a type that CDF-5 brought");
  for (const Variable &variable : schema.variables) {
    if (!limits.wide_types && (needs_cdf5(variable.type) || needs_cdf5(variable.attributes)))
      return breach(format, "it or an attribute of it is of a type that CDF-5 brought").in_variable(variable.name);
    if (variable.slab_bytes > limits.slab && !(last_may_exceed && is_last(schema, variable)))
      return breach(format, "it takes " + std::to_string(variable.slab_bytes) + " bytes" +
                                (variable.has_records ? " per record" : ""))
          .in_variable(variable.name);
  }
  return std::nullopt;
}

int64_t advance(const Variable &variable, int64_t offset) {
  if (!add_into(offset, variable.slab_bytes) || offset > INT64_MAX / 2)
    throw Error(Status::limit, "the file is larger than 2^62 bytes", "Make its dimensions shorter")
        .in_variable(variable.name);
  return offset;
}

void assign_offsets(Schema &schema, const Placement &placement) {
  const int64_t alignment = align_up(std::max<int64_t>(4, placement.variable_alignment), 4);
  schema.header_bytes = static_cast<int64_t>(encode_header(schema).size());
  if (schema.header_bytes > longest_header)
    throw Error(Status::limit, "the header takes " + std::to_string(schema.header_bytes) + " bytes, more than 64 MiB",
                "Keep what is long in variables, not in attributes");
  schema.data_begin =
      align_up(schema.header_bytes + placement.header_reserve, std::max<int64_t>(4, placement.data_alignment));
  int64_t offset = schema.data_begin;
  for (Variable &variable : schema.variables) {
    if (variable.has_records) continue;
    variable.begin = align_up(offset, alignment);
    offset = advance(variable, variable.begin);
  }
  schema.record_begin = schema.record_bytes > 0 ? align_up(offset, alignment) : offset;
  offset = schema.record_begin;
  for (Variable &variable : schema.variables) {
    if (!variable.has_records) continue;
    variable.begin = offset;
    offset = advance(variable, offset);
  }
}

void check_begins(const Schema &schema) {
  for (const Variable &variable : schema.variables)
    if (variable.begin > limits_of(schema.format).begin)
      throw breach(schema.format, "it begins at byte " + std::to_string(variable.begin)).in_variable(variable.name);
}

}  // namespace

void place_variables(Schema &schema, const Placement &placement) {
  check_definitions(schema);
  set_slab_sizes(schema);
  if (schema.format == Format::automatic) {
    schema.format = find_breach(schema, Format::cdf2, false) ? Format::cdf5 : Format::cdf2;
  } else if (const auto error = find_breach(schema, schema.format, true)) {
    throw Error(*error);
  }
  assign_offsets(schema, placement);
  check_begins(schema);
}

bool place_again(Schema &schema, const Schema &before, const Placement &placement) {
  place_variables(schema, placement);
  const size_t known = before.variables.size();
  if (schema.header_bytes > before.data_begin || (before.records > 0 && schema.variables.size() > known)) return false;
  const int64_t alignment = align_up(std::max<int64_t>(4, placement.variable_alignment), 4);
  int64_t offset = before.data_begin;
  for (size_t v = 0; v < known; ++v) {
    schema.variables[v].begin = before.variables[v].begin;
    if (!schema.variables[v].has_records)
      offset = std::max(offset, advance(schema.variables[v], before.variables[v].begin));
  }
  schema.data_begin = before.data_begin;
  schema.record_begin = before.record_begin;
  if (before.records > 0) return true;
  for (size_t v = known; v < schema.variables.size(); ++v)
    if (!schema.variables[v].has_records)
      offset = advance(schema.variables[v], schema.variables[v].begin = align_up(offset, alignment));
  offset = schema.record_begin = schema.record_bytes > 0 ? align_up(offset, alignment) : offset;
  for (Variable &variable : schema.variables)
    if (variable.has_records) offset = advance(variable, variable.begin = offset);
  check_begins(schema);
  return true;
}

}  // namespace sv
