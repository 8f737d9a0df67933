#include "model/chunk_request.hpp"

#include <algorithm>

#include "base/arithmetic.hpp"

namespace sv {

int64_t shape_bytes(const Index &shape, int64_t element_bytes) {
  int64_t bytes = element_bytes;
  for (int d = 0; d < shape.n; ++d)
    if (!multiply_into(bytes, std::max<int64_t>(shape[d], 1))) return INT64_MAX;
  return bytes;
}

Index cut_in_order(Index slab, int64_t parts) {
  for (int d = 0; d < slab.n && parts > 1; ++d) {
    const int64_t length = std::max<int64_t>(slab[d], 1), pieces = std::min(parts, length);
    slab[d] = divide_up(length, pieces);
    parts = divide_up(parts, pieces);
  }
  return slab;
}

ChunkRequest summed(ChunkRequest request, const Schema &schema) {
  if (request.record_bytes > 0 || !request.compresses() || request.one_record) return request;
  request.record_bytes = 1;
  for (const Variable &each : schema.variables)
    if (each.has_records) request.record_bytes += shape_bytes(schema.slab_shape(each), size_of(each.type));
  return request;
}

}  // namespace sv
