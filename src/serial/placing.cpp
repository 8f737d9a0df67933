#include "serial/placing.hpp"

#include <algorithm>
#include <utility>

#include "base/arithmetic.hpp"
#include "base/error.hpp"
#include "store/header_format.hpp"

namespace sv {

namespace {

[[noreturn]] void too_large(const Variable &variable) {
  throw Error(Status::limit, "it is too large for the format of the file", "Make the file in a larger format (CDF-5)")
      .in_variable(variable.name);
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
    if (slab_size(schema, variable) > most) large = &variable;
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
    if (!add_into(at, place.slab_bytes) || at > INT64_MAX / 2) too_large(variable);
  }
  return at;
}

}  // namespace

void place_like_netcdf(PlacedSchema &schema, const PlacedSchema *before, const NetcdfRoom &room) {
  schema.mark_records();
  const bool large_fixed = check_sizes(schema, false);
  const bool any_records = std::any_of(schema.variables.begin(), schema.variables.end(),
                                       [](const Variable &each) { return each.has_records; });
  if (large_fixed && any_records)
    throw Error(Status::limit, "a variable is too large for others to follow", "Make the file in a larger format");
  check_sizes(schema, true);
  CdfPlaces places = slab_sizes(schema);
  if (before != nullptr) {
    places.data_begin = before->places->data_begin;
    places.record_begin = before->places->record_begin;
  }
  schema.places = std::move(places);
  schema.places->header_bytes = header_length(schema);
  if (schema.variables.empty()) return;
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
}

}  // namespace sv
