#include "store/extent.hpp"

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
  const Index shape = schema.slab_shape(variable);
  for (int d = 0; d < shape.n; ++d)
    if (!multiply_into(bytes, shape[d])) too_large("variable '" + variable.name + "'");
  // Room for the padding, and for the alignment of what follows.
  if (bytes > INT64_MAX / 2) too_large("variable '" + variable.name + "'");
  return bytes;
}

void set_slab_sizes(Schema &schema) {
  int record_variables = 0;
  Variable *last = nullptr;
  schema.record_bytes = 0;
  for (Variable &variable : schema.variables) {
    variable.has_records = !variable.dims.empty() && schema.dims[variable.dims[0]].is_record;
    variable.slab_bytes = align_up(slab_size(schema, variable), 4);
    if (!variable.has_records) continue;
    ++record_variables;
    last = &variable;
    if (!add_into(schema.record_bytes, variable.slab_bytes)) too_large("a record");
  }
  if (record_variables == 1) schema.record_bytes = last->slab_bytes = slab_size(schema, *last);
}

int64_t end_of_data(const Schema &schema, int64_t records) {
  if (schema.record_bytes > 0) return schema.record_begin + records * schema.record_bytes;
  int64_t end = schema.header_bytes;
  for (const Variable &variable : schema.variables) end = std::max(end, variable.begin + variable.slab_bytes);
  return end;
}

}  // namespace sv
