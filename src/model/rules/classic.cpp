#include "model/rules/classic.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace sv::classic {

namespace {

struct Limits {
  int64_t dimension, slab, begin;
  bool has_wide_types;
};

Limits limits_of(Format format) {
  constexpr int64_t two31 = int64_t{1} << 31, two32 = int64_t{1} << 32;
  if (format == Format::cdf1) return {two31 - 4, two31 - 4, two31 - 1, false};
  if (format == Format::cdf2) return {two32 - 4, two32 - 4, INT64_MAX, false};
  return {INT64_MAX, INT64_MAX / 2, INT64_MAX, format != Format::netcdf4_classic};
}

Error breach(Format format, const std::string &what) {
  return Error(Status::limit, what + ", which is beyond the limits of " + name_of(format),
               format == Format::netcdf4_classic ? "Set the format to netcdf4" : "Set the format to auto or cdf5");
}

bool needs_wide_types(const std::vector<Attribute> &attributes) {
  return std::any_of(attributes.begin(), attributes.end(), [](const Attribute &each) { return needs_cdf5(each.type); });
}

// A variable that no other one follows may have any size: the last record variable, or the last variable of a file
// without record variables.
bool is_last(const Schema &schema, size_t variable, int64_t record_bytes) {
  const bool has_records = schema.variables[variable].has_records;
  size_t last = schema.variables.size() - 1;
  while (has_records && !schema.variables[last].has_records) --last;
  return last == variable && (has_records || record_bytes == 0);
}

// Whether a format is used up to limits that only some tools read: the exception for the last variable, and dimensions
// of CDF-2 that no signed number holds, as netCDF-C and PnetCDF do.
enum class Use { by_all_tools, to_the_edge };

std::optional<Error> excess_of(const Schema &schema, const Sizes &sizes, Format format, Use use) {
  Limits limits = limits_of(format);
  if (format == Format::cdf2 && use == Use::by_all_tools) limits.dimension = INT32_MAX - 3;
  for (const Dimension &dim : schema.dims)
    if (dim.length > limits.dimension)
      return breach(format, "dimension '" + dim.name + "' has " + std::to_string(dim.length) + " elements");
  if (!limits.has_wide_types && needs_wide_types(schema.attributes))
    return breach(format, "a global attribute is of a type that CDF-5 brought");
  for (size_t v = 0; v < schema.variables.size(); ++v) {
    const Variable &variable = schema.variables[v];
    const int64_t bytes = sizes.slab_bytes[v];
    if (!limits.has_wide_types && (needs_cdf5(variable.type) || needs_wide_types(variable.attributes)))
      return breach(format, "it or an attribute of it is of a type that CDF-5 brought").in_variable(variable.name);
    if (bytes > limits.slab && !(use == Use::to_the_edge && is_last(schema, v, sizes.record_bytes)))
      return breach(format,
                    "it takes " + std::to_string(bytes) + " bytes" + (variable.has_records ? " per record" : ""))
          .in_variable(variable.name);
  }
  return std::nullopt;
}

}  // namespace

void check_dimension(const Schema &schema, const Dimension &added) {
  if (added.is_unlimited() && std::ranges::any_of(schema.dims, &Dimension::is_unlimited))
    throw Error(Status::define, "'" + added.name + "' is a second record dimension; CDF files have one",
                "Give it a length, or set the format to netcdf4 or zarr");
}

void check_axes(const Schema &schema, std::span<const int> dims) {
  for (size_t d = 1; d < dims.size(); ++d)
    if (schema.is_unlimited(dims[d]))
      throw Error(Status::define, "the record dimension is not the slowest",
                  "Put it first (in Fortran: last), or set the format to netcdf4 or zarr");
}

void check_dimensions(const Schema &schema) {
  const auto second = [found = false](const Dimension &dim) mutable {
    return dim.is_unlimited() && std::exchange(found, true);
  };
  if (const auto dim = std::ranges::find_if(schema.dims, second); dim != schema.dims.end())
    check_dimension(schema, *dim);
  for (const Variable &variable : schema.variables) {
    try {
      check_axes(schema, variable.dims);
    } catch (Error &error) {
      throw error.in_variable(variable.name);
    }
  }
}

void check_type(Type type) {
  if (type == Type::string)
    throw Error(Status::type, "it is of type string, which CDF files do not have",
                "Set the format to netcdf4 or zarr, or use characters (SV_CHAR) with a dimension for the length");
}

void check_types(const Schema &schema) {
  const auto check = [](const std::vector<Attribute> &attributes) {
    for (const Attribute &each : attributes)
      if (each.type == Type::string)
        throw Error(Status::define, "its attribute '" + each.name + "' is of type string, which CDF files do not have",
                    "Put it as text, or set the format to netcdf4 or zarr");
  };
  check(schema.attributes);
  for (const Variable &variable : schema.variables) {
    try {
      check_type(variable.type);
      check(variable.attributes);
    } catch (Error &error) {
      throw error.in_variable(variable.name);
    }
  }
}

Format smallest_format(const Schema &schema, const Sizes &sizes) {
  return excess_of(schema, sizes, Format::cdf2, Use::by_all_tools) ? Format::cdf5 : Format::cdf2;
}

void check_limits(const Schema &schema, const Sizes &sizes) {
  if (const auto error = excess_of(schema, sizes, schema.format, Use::to_the_edge)) throw Error(*error);
}

void check_begin(Format format, const Variable &variable, int64_t begin) {
  if (begin > limits_of(format).begin)
    throw breach(format, "it begins at byte " + std::to_string(begin)).in_variable(variable.name);
}

// The count of CDF-1 and CDF-2 is a signed number of 32 bits (specification: NON_NEG).
int64_t most_records(Format format) { return format == Format::cdf1 || format == Format::cdf2 ? INT32_MAX : INT64_MAX; }

}  // namespace sv::classic
