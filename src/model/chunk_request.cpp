#include "model/chunk_request.hpp"

#include <fnmatch.h>

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

namespace {

void take_chunks(ChunkRequest &request, const VariableStorage &asked) {
  if (asked.chunks) {
    request.kind = *asked.chunks;
    request.shape = asked.shape;
    request.cx = request.cy = request.records = 0;
    request.own_chunks = *asked.chunks != ChunkKind::automatic;
  }
  if (asked.records) request.records = *asked.records;
  if (asked.chunks != ChunkKind::contiguous || asked.has_filters()) return;
  request.deflate = request.zstd = 0;
  request.fletcher32 = false;
}

void take_filters(ChunkRequest &request, const VariableStorage &asked) {
  if (asked.deflate || asked.zstd) {
    request.deflate = asked.deflate.value_or(0);
    request.zstd = asked.zstd.value_or(0);
  }
  request.shuffle = asked.shuffle.value_or(request.shuffle);
  request.fletcher32 = asked.fletcher32.value_or(request.fletcher32);
  if (asked.blosc) request.blosc = *asked.blosc;
  if (!asked.has_filters()) return;
  request.own_filters = true;
  if (request.kind == ChunkKind::contiguous && !asked.chunks) request.kind = ChunkKind::automatic;
}

void take(ChunkRequest &request, const VariableStorage &asked) {
  take_chunks(request, asked);
  take_filters(request, asked);
  if (asked.quantize) {
    request.quantization.amount = *asked.quantize;
    request.own_quantization = *asked.quantize > 0;
    request.quantization.encoder = asked.error_encoder.value_or(Quantization::Encoder::rounding);
  }
  if (asked.quantize_mode) request.quantization.mode = *asked.quantize_mode;
  if (asked.error_bound) request.quantization.bound = *asked.error_bound;
  if (asked.endian) request.endian = *asked.endian;
}

}  // namespace

const VariableStorage *pattern_for(const ChunkRequest &of_file, const std::string &name) {
  for (const auto &[pattern, asked] : of_file.variables)
    if (fnmatch(pattern.c_str(), name.c_str(), 0) == 0) return &asked;
  return nullptr;
}

ChunkRequest request_of(const ChunkRequest &of_file, const Variable &variable) {
  ChunkRequest own = of_file;
  own.variables.clear();
  if (variable.storage != nullptr && !variable.storage->is_found) take(own, *variable.storage);
  if (const VariableStorage *const asked = pattern_for(of_file, variable.name)) take(own, *asked);
  return own;
}

namespace {

/// Whether `has` is true for the request of any variable.
template <class Has>
bool any_has(const Schema &schema, const ChunkRequest &of_file, Has has) {
  const auto is_own = [](const Variable &each) { return each.storage != nullptr; };
  if (of_file.variables.empty() && std::ranges::none_of(schema.variables, is_own)) return has(of_file);
  return std::ranges::any_of(schema.variables, [&](const Variable &each) { return has(request_of(of_file, each)); });
}

}  // namespace

bool compresses(const Schema &schema, const ChunkRequest &of_file) {
  return any_has(schema, of_file, [](const ChunkRequest &request) { return request.compresses(); });
}

bool uses_zstd(const Schema &schema, const ChunkRequest &of_file) {
  return any_has(schema, of_file, [](const ChunkRequest &request) { return request.zstd > 0; });
}

ChunkRequest summed(ChunkRequest request, const Schema &schema) {
  if (request.record_bytes > 0 || request.one_record || !compresses(schema, request)) return request;
  request.record_bytes = 1;
  for (const Variable &each : schema.variables)
    if (each.has_records) request.record_bytes += shape_bytes(schema.slab_shape(each), size_of(each.type));
  return request;
}

}  // namespace sv
