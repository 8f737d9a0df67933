#include "backend/netcdf4/needed_filters.hpp"

#include "backend/netcdf4/filter_plug_in.hpp"
#include "backend/netcdf4/zstd_filter.hpp"
#include "model/chunks.hpp"
#include "model/error_encoder.hpp"

namespace sv::netcdf4 {

void need_filters(const Schema &schema, const Access &access) {
  if (uses_zstd(schema, access.chunks)) need_zstd_filter(access.chunks.zstd_anyway);
  const ChunkRequest request = summed(access.chunks, schema);
  for (const Variable &each : schema.variables) {
    if (request_of(request, each).quantization.encoder == Quantization::Encoder::rounding) continue;
    const auto encoder = find_encoder(chunks_of(schema, each, request, access.writers).quantization.encoder);
    if (encoder) need_plug_in(static_cast<FilterKind>(encoder->filter));
  }
}

void need_filters(const std::vector<Storage> &storages) {
  need_zstd_filter(storages);
  for (const Storage &each : storages)
    for (const Filter &filter : each.filters)
      if (is_plug_in(filter.kind)) need_plug_in(filter.kind);
}

}  // namespace sv::netcdf4
