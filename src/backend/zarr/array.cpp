#include "backend/zarr/array.hpp"

#include <algorithm>

#include "base/arithmetic.hpp"

namespace sv::zarr {

namespace {

std::vector<ByteStep> steps_of(const Chunks &chunks, const ChunkRequest &request, int64_t element_bytes) {
  std::vector<ByteStep> steps;
  if (chunks.deflate > 0 || chunks.zstd > 0) {
    ByteStep step{.kind = ByteStep::Kind::gzip, .level = chunks.deflate, .element_bytes = element_bytes};
    if (chunks.zstd > 0) {
      step.kind = ByteStep::Kind::zstd;
      step.level = chunks.zstd;
    }
    if (request.codec == "blosc") {
      step.kind = ByteStep::Kind::blosc;
      step.level = std::min(step.level, 9);
      step.inside = chunks.zstd > 0 ? "zstd" : "zlib";
      step.shuffle = chunks.shuffle ? 1 : 0;
    }
    steps.push_back(step);
  }
  if (chunks.fletcher32) steps.push_back({.kind = ByteStep::Kind::crc32c});
  return steps;
}

/// With no dimension shorter than one cell.
Index at_least_one(Index shape) {
  for (int d = 0; d < shape.n; ++d) shape[d] = std::max<int64_t>(shape[d], 1);
  return shape;
}

}  // namespace

bool Array::is_as_written_here() const {
  const bool is_little = fill.size() == 1 || !encoding.is_big_endian;
  return has_prefix && separator == '/' && is_little && !index_first && index_has_sum && !index_is_big;
}

std::string Array::name_of_file(const Index &first) const {
  std::string name = has_prefix ? "c" : first.n == 0 ? "0" : "";
  for (int d = 0; d < first.n; ++d) {
    if (!name.empty()) name += separator;
    name += std::to_string(first[d] / in_file[d]);
  }
  return name;
}

Index Array::file_of(const Index &cell) const {
  Index first = cell;
  for (int d = 0; d < first.n; ++d) first[d] -= first[d] % in_file[d];
  return first;
}

int64_t Array::chunks_in(const Index &first, const Index &length) const {
  int64_t chunks = 1;
  for (int d = 0; d < length.n; ++d) chunks *= divide_up(std::min(in_file[d], length[d] - first[d]), chunk[d]);
  return chunks;
}

int64_t Array::chunks_in_file() const {
  int64_t chunks = 1;
  for (int d = 0; d < chunk.n; ++d) chunks *= in_file[d] / chunk[d];
  return chunks;
}

int64_t Array::number_in_file(const Index &cell) const {
  int64_t number = 0;
  for (int d = 0; d < chunk.n; ++d) number = number * (in_file[d] / chunk[d]) + cell[d] % in_file[d] / chunk[d];
  return number;
}

Array array_of(const Schema &schema, const Variable &variable, const ChunkRequest &request, int writers) {
  Array array;
  for (const int dim : variable.dims) array.shape.push(schema.dims[static_cast<size_t>(dim)].length);
  const Chunks chunks = chunks_of(schema, variable, request, writers);
  const bool is_cut = chunks.kind == Chunks::Kind::shaped;
  array.in_file = is_cut ? chunks.shape : at_least_one(array.shape);
  array.chunk = is_cut && chunks.inside.n > 0 ? chunks.inside : array.in_file;
  array.is_sharded = is_cut && chunks.inside.n > 0;
  array.encoding.steps = steps_of(chunks, request, size_of(variable.type));
  const Element fill = schema.fill_value(variable);
  array.fill.assign(fill.begin(), fill.begin() + size_of(variable.type));
  return array;
}

}  // namespace sv::zarr
