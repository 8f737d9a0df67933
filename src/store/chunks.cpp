#include "store/chunks.hpp"

#include <algorithm>
#include <sstream>
#include <string>

#include "base/arithmetic.hpp"
#include "base/error.hpp"

namespace sv {

namespace {

constexpr int64_t most_chunk_bytes = (int64_t{1} << 32) - 1;  // HDF5: a chunk's size is 32 bits wide
constexpr int64_t most_compressed_bytes = int64_t{4} << 20;   // a reader of one cell inflates a whole chunk
// The records of a small variable, such as the time, share a chunk.
constexpr int64_t small_bytes = 4096, small_chunk_bytes = 65536;
constexpr int64_t most_followed_bytes = int64_t{256} << 20;  // a reader may hold a whole chunk

int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// `slab`, cut into at least `parts` boxes that are contiguous in its order: whole rows of its slowest dimensions.
Index cut(Index slab, int64_t parts) {
  for (int d = 0; d < slab.n && parts > 1; ++d) {
    const int64_t length = std::max<int64_t>(slab[d], 1), pieces = std::min(parts, length);
    slab[d] = divide_up(length, pieces);
    parts = divide_up(parts, pieces);
  }
  return slab;
}

int64_t bytes_of(const Index &shape, int64_t element_bytes) {
  int64_t bytes = element_bytes;
  for (int d = 0; d < shape.n; ++d)
    if (!multiply_into(bytes, std::max<int64_t>(shape[d], 1))) return INT64_MAX;
  return bytes;
}

Index following_writers(const Index &slab, int64_t element_bytes, const ChunkRequest &request, int writers) {
  const int64_t most = request.deflate > 0 ? most_compressed_bytes : most_followed_bytes;
  int64_t parts = std::max(writers, 1);
  Index chunk = cut(slab, parts);
  while (bytes_of(chunk, element_bytes) > most && bytes_of(chunk, element_bytes) > element_bytes)
    chunk = cut(slab, parts *= 2);
  return chunk;
}

Index by_layout(const Index &slab, const ChunkRequest &request) {
  Index chunk = slab;
  const int64_t nx = slab[slab.n - 1], ny = slab[slab.n - 2];
  if (request.cx > nx || request.cy > ny)
    throw Error(Status::invalid,
                "chunk_layout = " + std::to_string(request.cx) + "," + std::to_string(request.cy) + " for axes of " +
                    std::to_string(nx) + " x " + std::to_string(ny) + " cells",
                "Give at most as many segments (x first) as there are cells");
  chunk[slab.n - 1] = divide_up(nx, request.cx);
  chunk[slab.n - 2] = divide_up(ny, request.cy);
  return chunk;
}

Index of_given_shape(const Index &slab, const Index &shape) {
  Index chunk(slab.n, 1);
  for (int d = 0; d < shape.n; ++d) {
    const int at = slab.n - shape.n + d;
    chunk[at] = std::clamp<int64_t>(shape[d], 1, std::max<int64_t>(slab[at], 1));
  }
  return chunk;
}

/// CF conventions: coordinates, their bounds and auxiliary coordinates are not quantized.
bool is_coordinate(const Schema &schema, const Variable &variable) {
  for (const int dim : variable.dims)
    if (schema.dims[static_cast<size_t>(dim)].name == variable.name) return true;
  for (const Variable &other : schema.variables)
    for (const char *role : {"bounds", "climatology", "coordinates"}) {
      const Attribute *names = find_attribute(other.attributes, role);
      if (names == nullptr || names->type != Type::text) continue;
      std::istringstream list(std::string(reinterpret_cast<const char *>(names->values.data()), names->values.size()));
      for (std::string name; list >> name;)
        if (name == variable.name) return true;
    }
  return false;
}

}  // namespace

bool is_quantized(const Schema &schema, const Variable &variable, const ChunkRequest &request) {
  return request.quantize > 0 && (variable.type == Type::float32 || variable.type == Type::float64) &&
         !is_coordinate(schema, variable);
}

Chunks chunks_of(const Schema &schema, const Variable &variable, const ChunkRequest &request, int writers) {
  using Way = ChunkRequest::Kind;
  Chunks chunks;
  const Index slab = schema.slab_shape(variable);
  if (variable.dims.empty()) return chunks;  // a scalar
  try {
    if (request.kind == Way::contiguous && request.deflate > 0)
      throw Error(Status::invalid, "contiguous variables cannot be compressed",
                  "Leave 'deflate' out, or choose other chunks");
    const bool has_axes = slab.n >= 2, by_axes = request.cx > 0 && has_axes;
    const bool by_shape = !by_axes && request.kind == Way::given && has_axes && slab.n >= request.shape.n;
    const bool needed = variable.has_records || (request.deflate > 0 && has_axes);
    if (!needed && !by_axes && !by_shape && request.kind != Way::by_writers && request.kind != Way::library)
      return chunks;
    const int64_t bytes = size_of(variable.type);
    const bool small = variable.has_records && !by_axes && !by_shape && bytes_of(slab, bytes) < small_bytes;
    chunks.deflate = small ? 0 : request.deflate;
    chunks.shuffle = chunks.deflate > 0 && request.shuffle;
    chunks.quantize = is_quantized(schema, variable, request) ? request.quantize : 0;
    chunks.kind = request.kind == Way::library && !by_axes ? Chunks::Kind::library : Chunks::Kind::shaped;
    if (chunks.kind == Chunks::Kind::library) return chunks;
    const Index chunk = by_axes    ? by_layout(slab, request)
                        : by_shape ? of_given_shape(slab, request.shape)
                                   : following_writers(slab, bytes, request, writers);
    if (variable.has_records) chunks.shape.push(small ? small_chunk_bytes / bytes_of(slab, bytes) : 1);
    for (int d = 0; d < chunk.n; ++d) chunks.shape.push(std::max<int64_t>(chunk[d], 1));
    if (bytes_of(chunks.shape, bytes) > most_chunk_bytes)
      throw Error(
          Status::limit,
          "a chunk of " + std::to_string(bytes_of(chunks.shape, bytes)) + " bytes; HDF5 has room for less than 4 GiB",
          "Give more segments in chunk_layout, or smaller chunks");
  } catch (Error &error) {
    throw error.in_variable(variable.name);
  }
  return chunks;
}

int64_t chunk_stripe(const Schema &schema, const Variable &variable, const Chunks &chunks, int64_t otherwise) {
  if (chunks.kind != Chunks::Kind::shaped) return otherwise;
  const Index slab = schema.slab_shape(variable);
  const int skipped = variable.has_records ? 1 : 0;
  int d = slab.n - 1;
  while (d >= 0 && chunks.shape[d + skipped] == slab[d]) --d;  // whole dimensions, fastest first
  // The dimension that is cut, and nothing but single cells before it.
  for (int slower = 0; slower < d; ++slower)
    if (chunks.shape[slower + skipped] != 1) return otherwise;
  if (d > 0 && slab[d] % chunks.shape[d + skipped] != 0) return otherwise;  // the last chunk of each row is smaller
  return bytes_of(chunks.shape, size_of(variable.type));
}

}  // namespace sv
