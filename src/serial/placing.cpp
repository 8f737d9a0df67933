#include "serial/placing.hpp"

#include <algorithm>

#include "base/arithmetic.hpp"
#include "base/error.hpp"
#include "store/header_format.hpp"

namespace sv {

namespace {

[[noreturn]] void too_large(const Variable &variable) {
  throw Error(Status::limit, "it is too large for the format of the file", "Make the file in a larger format (CDF-5)")
      .in_variable(variable.name);
}

int64_t bytes_of(const Schema &schema, const Variable &variable) {
  int64_t bytes = slab_elements_of(schema, variable);
  if (!multiply_into(bytes, size_of(variable.type)) || bytes > INT64_MAX / 4) too_large(variable);
  return bytes;
}

/// Whether the variables of one kind (fixed, or with records) fit: all but the last are limited, by the offset of the
/// next one. Returns whether the last one is larger.
bool check_sizes(const PlacedSchema &schema, bool records) {
  if (schema.format == Format::cdf5) return false;
  const int64_t most = schema.format == Format::cdf1 ? int64_t{INT32_MAX} - 3 : int64_t{UINT32_MAX} - 3;
  const Variable *large = nullptr;
  for (const Variable &variable : schema.variables) {
    if (variable.has_records != records) continue;
    if (large != nullptr) too_large(*large);
    if (bytes_of(schema, variable) > most) large = &variable;
  }
  return large != nullptr;
}

/// The places of variables of one kind, one after the other from `at` on; where one stood further back, it stays there.
/// Returns where they end.
int64_t place_kind(PlacedSchema &schema, const PlacedSchema *before, bool records, int64_t at) {
  for (size_t v = 0; v < schema.variables.size(); ++v) {
    const Variable &variable = schema.variables[v];
    if (variable.has_records != records) continue;
    CdfPlaces::Place &place = schema.places->variables[v];
    if (schema.format == Format::cdf1 && at > INT32_MAX) too_large(variable);
    place.begin = at;
    if (before != nullptr && v < before->variables.size())
      place.begin = std::max(place.begin, before->places->variables[v].begin);
    at += place.slab_bytes;
  }
  return at;
}

int64_t slab_lengths(PlacedSchema &schema) {
  CdfPlaces &places = *schema.places;
  size_t with_records = 0, last = 0;
  for (size_t v = 0; v < schema.variables.size(); ++v) {
    const Variable &variable = schema.variables[v];
    places.variables[v].slab_bytes = align_up(bytes_of(schema, variable), 4);
    if (!variable.has_records) continue;
    ++with_records;
    last = v;
    places.record_bytes += places.variables[v].slab_bytes;
  }
  // The records of the only variable that has some follow each other without padding.
  if (with_records == 1) places.record_bytes = bytes_of(schema, schema.variables[last]);
  return with_records == 1 ? static_cast<int64_t>(last) : -1;
}

}  // namespace

int64_t slab_elements_of(const Schema &schema, const Variable &variable) {
  int64_t elements = 1;
  for (const int dim : variable.dims) {
    const Dimension &each = schema.dims[static_cast<size_t>(dim)];
    if (!each.is_record && !multiply_into(elements, each.length)) too_large(variable);
  }
  return elements;
}

void place_like_netcdf(PlacedSchema &schema, const PlacedSchema *before, const NetcdfRoom &room) {
  schema.mark_records();
  const bool large_fixed = check_sizes(schema, false);
  const bool any_records = std::any_of(schema.variables.begin(), schema.variables.end(),
                                       [](const Variable &each) { return each.has_records; });
  if (large_fixed && any_records)
    throw Error(Status::limit, "a variable is too large for others to follow", "Make the file in a larger format");
  check_sizes(schema, true);
  CdfPlaces places;
  if (before != nullptr) {
    places.data_begin = before->places->data_begin;
    places.record_begin = before->places->record_begin;
  }
  places.variables.resize(schema.variables.size());
  schema.places = places;
  schema.places->header_bytes = std::ssize(encode_header(schema));
  if (schema.variables.empty()) return;
  const int64_t only = slab_lengths(schema);
  CdfPlaces &made = *schema.places;
  const int64_t header = made.header_bytes;
  if (made.data_begin < header + room.header_free || made.data_begin % room.data_align != 0)
    made.data_begin = align_up(header + room.header_free, room.data_align);
  if (before != nullptr) made.data_begin = std::max(made.data_begin, before->places->data_begin);
  const int64_t fixed_end = place_kind(schema, before, false, made.data_begin);
  if (made.record_begin < fixed_end + room.fixed_free || made.record_begin % room.record_align != 0)
    made.record_begin = align_up(fixed_end + room.fixed_free, room.record_align);
  const auto first_fixed = std::find_if(schema.variables.begin(), schema.variables.end(),
                                        [](const Variable &each) { return !each.has_records; });
  made.data_begin = first_fixed == schema.variables.end()
                        ? made.record_begin
                        : made.variables[static_cast<size_t>(first_fixed - schema.variables.begin())].begin;
  if (before != nullptr) made.record_begin = std::max(made.record_begin, before->places->record_begin);
  place_kind(schema, before, true, made.record_begin);
  for (size_t v = 0; v < schema.variables.size(); ++v)
    if (schema.variables[v].has_records) made.variables[v].step_bytes = made.record_bytes;
  if (only >= 0) made.variables[static_cast<size_t>(only)].slab_bytes = made.record_bytes;
}

int64_t netcdf_length(const PlacedSchema &schema) {
  const CdfPlaces &places = *schema.places;
  if (schema.variables.empty()) return places.header_bytes;
  const auto last_fixed = std::find_if(schema.variables.rbegin(), schema.variables.rend(),
                                       [](const Variable &each) { return !each.has_records; });
  if (places.record_bytes > 0) return places.record_begin + schema.records * places.record_bytes;
  if (last_fixed == schema.variables.rend()) return places.record_begin;
  const CdfPlaces::Place &place = places.variables[static_cast<size_t>(schema.variables.rend() - last_fixed - 1)];
  return place.begin + place.slab_bytes;
}

}  // namespace sv
