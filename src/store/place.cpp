// Where variables stand, and the limits of the formats: "The NetCDF Classic Format Specification" (Unidata) and "CDF-5
// File Format Specification" (PnetCDF).
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arithmetic.hpp"
#include "base/error.hpp"
#include "store/cdf_places.hpp"
#include "store/header_format.hpp"

namespace sv {
namespace {

struct Limits {
  int64_t dimension, slab, begin;
  bool wide_types;
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
bool is_last(const Schema &schema, size_t variable, int64_t record_bytes) {
  const bool has_records = schema.variables[variable].has_records;
  size_t last = schema.variables.size() - 1;
  while (has_records && !schema.variables[last].has_records) --last;
  return last == variable && (has_records || record_bytes == 0);
}

// The first limit of `format` that the schema breaks. `to_the_edge`: whether to use what not every tool knows: the
// exception for the last variable, and dimensions of CDF-2 that no signed number holds, as netCDF-C and PnetCDF do.
std::optional<Error> find_breach(const Schema &schema, const CdfPlaces &sizes, Format format, bool to_the_edge) {
  Limits limits = limits_of(format);
  if (format == Format::cdf2 && !to_the_edge) limits.dimension = INT32_MAX - 3;
  for (const Dimension &dim : schema.dims)
    if (dim.length > limits.dimension)
      return breach(format, "dimension '" + dim.name + "' has " + std::to_string(dim.length) + " elements");
  if (!limits.wide_types && needs_cdf5(schema.attributes))
    return breach(format, "a global attribute is of a type that CDF-5 brought");
  for (size_t v = 0; v < schema.variables.size(); ++v) {
    const Variable &variable = schema.variables[v];
    const int64_t bytes = sizes.variables[v].slab_bytes;
    if (!limits.wide_types && (needs_cdf5(variable.type) || needs_cdf5(variable.attributes)))
      return breach(format, "it or an attribute of it is of a type that CDF-5 brought").in_variable(variable.name);
    if (bytes > limits.slab && !(to_the_edge && is_last(schema, v, sizes.record_bytes)))
      return breach(format,
                    "it takes " + std::to_string(bytes) + " bytes" + (variable.has_records ? " per record" : ""))
          .in_variable(variable.name);
  }
  return std::nullopt;
}

/// The alignment in force where this one is asked for.
int64_t whole(int64_t alignment) { return align_up(std::max<int64_t>(4, alignment), 4); }

// Places one variable behind another.
class Placer {
 public:
  Placer(PlacedSchema &schema, const Placement &placement, int64_t begin)
      : schema_(schema), placement_(placement), offset_(begin) {}

  int64_t offset() const { return offset_; }
  /// The variables from `first` on, those with records or the others.
  void add(size_t first, bool records) {
    for (size_t v = first; v < schema_.variables.size(); ++v) {
      if (schema_.variables[v].has_records != records) continue;
      if (!records) align(placement_.variable_alignment);
      pass(v, schema_.places->variables[v].begin = offset_);
    }
  }
  /// What begins there is not overwritten.
  void pass(size_t variable, int64_t begin) {
    if (!add_into(begin, schema_.places->variables[variable].slab_bytes) || begin > INT64_MAX / 2)
      throw Error(Status::limit, "the file is larger than 2^62 bytes", "Make its dimensions shorter")
          .in_variable(schema_.variables[variable].name);
    offset_ = std::max(offset_, begin);
  }
  /// Record 0, behind the fixed variables.
  void begin_records() {
    if (schema_.places->record_bytes > 0) {
      offset_ += placement_.fixed_reserve;
      align(placement_.record_alignment);
    }
    schema_.places->record_begin = offset_;
    add(0, true);
  }

 private:
  void align(int64_t alignment) { offset_ = align_up(offset_, whole(alignment)); }

  PlacedSchema &schema_;
  const Placement &placement_;
  int64_t offset_;
};

int64_t checked_header_length(const PlacedSchema &schema) {
  const int64_t bytes = header_length(schema);
  if (bytes > longest_header)
    throw Error(Status::limit, "the header takes " + std::to_string(bytes) + " bytes, more than 64 MiB",
                "Keep what is long in variables, not in attributes");
  return bytes;
}

void check_begins(const PlacedSchema &schema) {
  for (size_t v = 0; v < schema.variables.size(); ++v)
    if (const int64_t begin = schema.places->variables[v].begin; begin > limits_of(schema.format).begin)
      throw breach(schema.format, "it begins at byte " + std::to_string(begin)).in_variable(schema.variables[v].name);
}

void place_as_given(PlacedSchema &schema, const std::vector<int64_t> &begins, int64_t header_bytes) {
  if (begins.size() != schema.variables.size())
    misdefined("the places of " + std::to_string(begins.size()) + " variables were given, of " +
                   std::to_string(schema.variables.size()),
               "Call sv_def_varoffsets when all are defined");
  try {
    place_at(schema, begins, header_bytes);
  } catch (const Error &error) {
    misdefined(std::string("the places that were given cannot be: ") + error.what(),
               "Leave room for the header of " + std::to_string(header_bytes) + " bytes, and for each variable");
  }
  check_begins(schema);
}

/// Where begins are given: whether all that stands in the file stays.
bool stands_as_before(const PlacedSchema &schema, const PlacedSchema &before) {
  const size_t known = before.variables.size();
  if (schema.places->header_bytes > before.places->data_begin) return false;
  if (before.records > 0 && schema.variables.size() > known) return false;
  const auto stays = [](const CdfPlaces::Place &old, const CdfPlaces::Place &now) { return old.begin == now.begin; };
  return std::equal(before.places->variables.begin(), before.places->variables.end(), schema.places->variables.begin(),
                    schema.places->variables.begin() + static_cast<std::ptrdiff_t>(known), stays);
}

}  // namespace

std::string in_words(const Placement &placement) {
  std::string begins;
  for (const int64_t begin : placement.begins) begins.append(" ").append(std::to_string(begin));
  if (!begins.empty()) return "places: variables begin at" + begins + "\n";
  return "places: data aligned to " + std::to_string(placement.data_alignment) + " behind " +
         std::to_string(placement.header_reserve) + " free bytes, variables to " +
         std::to_string(placement.variable_alignment) + ", records to " + std::to_string(placement.record_alignment) +
         " behind " + std::to_string(placement.fixed_reserve) + " free bytes\n";
}

void place_variables(PlacedSchema &schema, const Placement &placement) {
  schema.places.reset();
  check_definitions(schema);
  schema.mark_records();
  const CdfPlaces sizes = slab_sizes(schema);
  if (schema.format == Format::automatic) {
    schema.format = find_breach(schema, sizes, Format::cdf2, false) ? Format::cdf5 : Format::cdf2;
  } else if (const auto error = find_breach(schema, sizes, schema.format, true)) {
    throw Error(*error);
  }
  const int64_t header_bytes = checked_header_length(schema);
  if (!has_places(schema.format)) return;
  if (!placement.begins.empty()) return place_as_given(schema, placement.begins, header_bytes);
  CdfPlaces &places = schema.places.emplace(sizes);
  places.header_bytes = header_bytes;
  places.data_begin = align_up(header_bytes + placement.header_reserve, whole(placement.data_alignment));
  Placer placer(schema, placement, places.data_begin);
  placer.add(0, false);
  placer.begin_records();
  check_begins(schema);
}

bool place_again(PlacedSchema &schema, const PlacedSchema &before, const Placement &placement) {
  place_variables(schema, placement);
  if (!schema.places || !before.places) return false;
  if (!placement.begins.empty()) return stands_as_before(schema, before);
  CdfPlaces &places = *schema.places;
  const CdfPlaces &old = *before.places;
  if (places.header_bytes > old.data_begin) return false;
  places.data_begin = old.data_begin;
  places.record_begin = old.record_begin;
  const size_t known = before.variables.size();
  const bool stay = before.records == 0 || schema.variables.size() == known;
  Placer placer(schema, placement, old.data_begin);
  for (size_t v = 0; stay && v < known; ++v) {
    places.variables[v].begin = old.variables[v].begin;
    if (!schema.variables[v].has_records) placer.pass(v, old.variables[v].begin);
  }
  if (stay && before.records > 0) return true;
  placer.add(stay ? known : 0, false);
  placer.begin_records();
  check_begins(schema);
  return stay;
}

}  // namespace sv
