#include "backend/zarr/array.hpp"

#include <algorithm>

#include "base/arithmetic.hpp"
#include "model/filling.hpp"

namespace sv::zarr {

namespace {

std::vector<ByteStep> steps_of(const Chunks &chunks, int64_t element_bytes) {
  std::vector<ByteStep> steps;
  if (chunks.deflate > 0 || chunks.zstd > 0) {
    ByteStep step{.kind = ByteStep::Kind::gzip, .level = chunks.deflate, .element_bytes = element_bytes};
    if (chunks.zstd > 0) {
      step.kind = ByteStep::Kind::zstd;
      step.level = chunks.zstd;
    }
    if (chunks.blosc) {
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
  return has_prefix && separator == '/' && !index_first && index_has_sum && !index_is_big;
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
  array.quantization = chunks.quantization;
  array.encoding.is_big_endian = chunks.endian == Endian::big && size_of(variable.type) > 1;
  array.encoding.steps = steps_of(chunks, size_of(variable.type));
  if (variable.type == Type::string) {
    const std::string text = fill_text(variable);
    const auto *const begin = reinterpret_cast<const std::byte *>(text.data());
    array.fill.assign(begin, begin + text.size());
    return array;
  }
  const Element fill = schema.fill_value(variable);
  array.fill.assign(fill.begin(), fill.begin() + size_of(variable.type));
  return array;
}

VariableStorage found_storage(const Array &array, const std::vector<Attribute> &attributes) {
  VariableStorage found;
  found.is_found = true;
  if (array.chunk.n > 0) found.chunks = ChunkKind::given;
  found.shape = array.chunk;
  if (array.encoding.is_big_endian) found.endian = Endian::big;
  if (const Quantization quantization = quantization_in(attributes); quantization.amount > 0)
    found.set_quantization(quantization);
  for (const ByteStep &step : array.encoding.steps) {
    const bool is_blosc = step.kind == ByteStep::Kind::blosc;
    if (step.kind == ByteStep::Kind::crc32c) found.fletcher32 = true;
    if (step.kind == ByteStep::Kind::gzip || (is_blosc && step.inside == "zlib")) found.deflate = step.level;
    if (step.kind == ByteStep::Kind::zstd || (is_blosc && step.inside == "zstd")) found.zstd = step.level;
    if (!is_blosc) continue;
    found.blosc = true;
    found.shuffle = step.shuffle > 0;
    if (!found.compresses()) found.others.push_back(static_cast<unsigned>(FilterNumber::blosc));
  }
  return found;
}

}  // namespace sv::zarr
