#include "store/cdf_places.hpp"

#include <algorithm>

#include "base/arithmetic.hpp"
#include "base/error.hpp"

namespace sv {
namespace {

[[noreturn]] void too_large(const std::string &what) {
  throw Error(Status::limit, what + " is larger than 2^63 bytes", "Make its dimensions shorter");
}

}  // namespace

int64_t slab_size(const Schema &schema, const Variable &variable) {
  int64_t bytes = size_of(variable.type);
  for (const int dim : variable.slab_dims())
    if (!multiply_into(bytes, schema.length_of(dim))) too_large("variable '" + variable.name + "'");
  // Room for the padding, and for the alignment of the next variable.
  if (bytes > INT64_MAX / 2) too_large("variable '" + variable.name + "'");
  return bytes;
}

CdfPlaces slab_sizes(const Schema &schema) {
  CdfPlaces places;
  int record_variables = 0;
  size_t last = 0;
  for (const Variable &variable : schema.variables) {
    const int64_t bytes = align_up(slab_size(schema, variable), 4);
    places.variables.push_back({0, bytes, 0});
    if (!variable.has_records) continue;
    ++record_variables;
    last = places.variables.size() - 1;
    if (!add_into(places.record_bytes, bytes)) too_large("a record");
  }
  if (record_variables == 1)
    places.record_bytes = places.variables[last].slab_bytes = slab_size(schema, schema.variables[last]);
  for (size_t v = 0; v < places.variables.size(); ++v)
    if (schema.variables[v].has_records) places.variables[v].step_bytes = places.record_bytes;
  return places;
}

int64_t step_size(const Schema &schema) {
  const CdfPlaces sizes = slab_sizes(schema);
  int64_t fixed = 0;
  for (size_t v = 0; v < schema.variables.size(); ++v)
    if (!schema.variables[v].has_records) fixed += sizes.variables[v].slab_bytes;
  return std::max(fixed, sizes.record_bytes);
}

int64_t CdfPlaces::end_of_data(int64_t records) const {
  if (record_bytes > 0 && records > 0) return record_begin + records * record_bytes;
  int64_t end = header_bytes;
  for (const Place &each : variables)
    if (each.step_bytes == 0) end = std::max(end, each.begin + each.slab_bytes);
  return end;
}

}  // namespace sv
