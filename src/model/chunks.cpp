#include "model/chunks.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>

#include "base/arithmetic.hpp"
#include "base/error.hpp"
#include "model/auto_chunks.hpp"

namespace sv {

namespace {

constexpr int64_t most_chunk_bytes = (int64_t{1} << 32) - 1;  // HDF5: a chunk's size is 32 bits wide
constexpr int64_t most_compressed_bytes = int64_t{4} << 20;   // a reader of one cell inflates a whole chunk
constexpr int64_t small_chunk_bytes = 65536;                  // of records that cannot wait
constexpr int64_t most_followed_bytes = int64_t{256} << 20;   // a reader may hold a whole chunk

/// Chunks are chosen once: as if each dimension that grows had this length.
Index chunked_shape(const Schema &schema, const Variable &variable) {
  constexpr int64_t expected_length = 64;
  Index shape;
  for (const int dim : variable.slab_dims())
    shape.push(schema.dims[static_cast<size_t>(dim)].grows ? expected_length : schema.length_of(dim));
  return shape;
}

/// Of a variable of a format that has only chunks: whole rows for each writer, while these have a MiB and more.
Index of_contiguous(const Index &slab, int64_t element_bytes, int writers) {
  constexpr int64_t chunk_for = int64_t{1} << 20;
  const int64_t bytes = shape_bytes(slab, element_bytes);
  Index chunk = cut_in_order(slab, std::clamp<int64_t>(bytes / chunk_for, 1, std::max(writers, 1)));
  while (shape_bytes(chunk, element_bytes) > most_followed_bytes) chunk = cut_in_order(chunk, 2);
  return chunk;
}

/// The box of chunks that is a shard: whole chunks, of the fastest dimensions first, while they make no more than
/// 64 MiB; or at least the cells of `request.shard_shape`.
Index shard_of(const Index &slab, const Index &chunk, int64_t element_bytes, const ChunkRequest &request) {
  constexpr int64_t most_shard_bytes = int64_t{64} << 20;
  const int skipped = chunk.n - slab.n, given = request.shard_shape.n;  // the records
  Index shard = chunk;
  for (int d = chunk.n - 1; d >= skipped; --d) {
    const int64_t all = divide_up(std::max<int64_t>(slab[d - skipped], 1), chunk[d]);
    const int from_last = chunk.n - d;
    int64_t chunks = 1;
    if (request.shards == ChunkRequest::Shards::given)
      chunks = from_last <= given ? divide_up(request.shard_shape[given - from_last], chunk[d]) : 1;
    else
      chunks = std::max<int64_t>(most_shard_bytes / shape_bytes(shard, element_bytes), 1);
    shard[d] = std::clamp<int64_t>(chunks, 1, all) * chunk[d];
  }
  return shard;
}

Index following_writers(const Index &slab, int64_t element_bytes, const ChunkRequest &request, int writers) {
  const int64_t most = request.compresses() ? most_compressed_bytes : most_followed_bytes;
  int64_t parts = std::max(writers, 1);
  Index chunk = cut_in_order(slab, parts);
  while (shape_bytes(chunk, element_bytes) > most && shape_bytes(chunk, element_bytes) > element_bytes)
    chunk = cut_in_order(slab, parts *= 2);
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

/// `shape` may begin with the number of records.
Index of_given_shape(const Index &slab, const Index &shape) {
  Index chunk(slab.n, 1);
  for (int at = std::max(slab.n - shape.n, 0); at < slab.n; ++at) {
    const int64_t asked = shape[at - slab.n + shape.n];
    chunk[at] = std::clamp<int64_t>(asked, 1, std::max<int64_t>(slab[at], 1));
  }
  return chunk;
}

int64_t given_records(const Index &slab, const ChunkRequest &request) {
  return request.shape.n > slab.n && !request.one_record ? std::max<int64_t>(request.shape[0], 1) : 1;
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

bool has_filters(const ChunkRequest &request) { return request.compresses() || request.fletcher32; }

void check_filters(const ChunkRequest &request) {
  if (request.kind == ChunkRequest::Kind::contiguous && has_filters(request))
    throw Error(Status::invalid, "contiguous variables have neither compression nor checksums",
                "Leave 'deflate', 'zstd' and 'fletcher32' out, or choose other chunks");
  if (request.records > 1 && request.each_step && (has_filters(request) || request.only_chunks))
    throw Error(
        Status::invalid, "'chunk_records' in a growing file: each step is committed, and would write its chunks anew",
        "Leave 'chunk_records' out, or make the file 'published'; sv-copy makes such chunks of the complete file");
  if (request.deflate > 0 && request.zstd > 0)
    throw Error(Status::invalid, "'deflate' and 'zstd' are both asked for", "Leave one of them out");
}

void compress(Chunks &chunks, const ChunkRequest &request) {
  chunks.deflate = request.deflate;
  chunks.zstd = request.zstd;
  chunks.shuffle = request.compresses() && request.shuffle;
  chunks.fletcher32 = request.fletcher32;
}

/// Records of less than a page share chunks. Where nobody reads the file before its end, these wait in memory and are
/// compressed; otherwise they are written in their places.
Chunks of_small_records(const Index &slab, int64_t bytes, const ChunkRequest &request) {
  Chunks chunks;
  chunks.kind = Chunks::Kind::shaped;
  const bool waits = request.compresses() && !request.one_record && request.kind == ChunkRequest::Kind::automatic;
  const int64_t records = (waits ? small_chunks_bytes : small_chunk_bytes) / bytes;
  chunks.shape.push(std::max<int64_t>({1, records, int64_t{request.records}}));
  for (int d = 0; d < slab.n; ++d) chunks.shape.push(std::max<int64_t>(slab[d], 1));
  if (waits) compress(chunks, request);
  return chunks;
}

void check_size(const Chunks &chunks, int64_t element_bytes) {
  const int64_t bytes = shape_bytes(chunks.shape, element_bytes);
  if (bytes > most_chunk_bytes)
    throw Error(Status::limit, "a chunk of " + std::to_string(bytes) + " bytes; HDF5 has room for less than 4 GiB",
                "Give a smaller 'chunk_records', more segments in 'chunk_layout', or smaller 'chunks'");
}

std::string text_of(const Index &shape) {
  std::string text;
  for (int d = 0; d < shape.n; ++d) text += (d > 0 ? " x " : "") + std::to_string(shape[d]);
  return text;
}

std::string in_mebibytes(int64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f MiB", static_cast<double>(bytes) / (1 << 20));
  return text;
}

}  // namespace

bool is_quantized(const Schema &schema, const Variable &variable, const ChunkRequest &request) {
  const int amount = request.quantization.amount;
  const bool in_bits = request.quantization.mode == Quantization::Mode::bit_round;
  const int most = variable.type == Type::float32   ? (in_bits ? 23 : 7)
                   : variable.type == Type::float64 ? (in_bits ? 52 : 15)
                                                    : 0;
  return amount > 0 && amount <= most && !is_coordinate(schema, variable);
}

Chunks chunks_of(const Schema &schema, const Variable &variable, const ChunkRequest &request, int writers) {
  using Way = ChunkRequest::Kind;
  Chunks chunks;
  const Index slab = chunked_shape(schema, variable);
  if (variable.dims.empty()) return chunks;  // a scalar
  try {
    check_filters(request);
    const bool has_axes = slab.n >= 2, by_axes = request.cx > 0 && has_axes;
    const bool by_shape =
        !by_axes && request.kind == Way::given && has_axes && std::ssize(variable.dims) >= request.shape.n;
    const bool is_unlimited = variable.has_records || schema.has_growing_slab(variable);
    const bool needed = is_unlimited || (has_filters(request) && has_axes);
    const bool followed = needed || by_axes || by_shape || request.kind == Way::by_writers;
    const bool by_library = request.kind == Way::library && !request.only_chunks;
    if (!followed && !by_library && !request.only_chunks) return chunks;
    const int64_t bytes = size_of(variable.type), slab_bytes = shape_bytes(slab, bytes);
    const bool small = variable.has_records && !by_axes && !by_shape && slab_bytes < small_record_bytes;
    if (small && !by_library) {
      chunks = of_small_records(slab, slab_bytes, request);
      check_size(chunks, bytes);
      return chunks;
    }
    if (!small && (followed || by_library)) compress(chunks, request);
    if (!small && is_quantized(schema, variable, request)) chunks.quantization = request.quantization;
    chunks.kind = by_library && !by_axes ? Chunks::Kind::library : Chunks::Kind::shaped;
    if (chunks.kind == Chunks::Kind::library) return chunks;
    AutoShape shape;
    if (by_axes)
      shape.slab = by_layout(slab, request);
    else if (by_shape)
      shape = {.slab = of_given_shape(slab, request.shape), .records = given_records(slab, request)};
    else if (request.kind == Way::by_writers)
      shape.slab = following_writers(slab, bytes, request, writers);
    else if (!followed)
      shape.slab = of_contiguous(slab, bytes, writers);
    else
      shape = auto_shape(slab, variable, summed(request, schema), writers);
    if (variable.has_records) chunks.shape.push(request.records > 0 ? request.records : shape.records);
    for (int d = 0; d < shape.slab.n; ++d) chunks.shape.push(std::max<int64_t>(shape.slab[d], 1));
    if (request.shards != ChunkRequest::Shards::none && request.only_chunks) {
      chunks.inside = chunks.shape;
      chunks.shape = shard_of(slab, chunks.inside, bytes, request);
    }
    check_size(chunks, bytes);
  } catch (Error &error) {
    throw error.in_variable(variable.name);
  }
  return chunks;
}

std::vector<std::string> described_chunks(const Schema &schema, const ChunkRequest &request, int writers) {
  std::vector<std::string> told;
  if (request.kind != ChunkRequest::Kind::automatic) return told;
  const ChunkRequest whole = summed(request, schema);
  std::map<std::string, std::string> variables;  // by what is said of them
  for (const Variable &each : schema.variables) {
    const Chunks chunks = chunks_of(schema, each, whole, writers);
    const Index slab = chunked_shape(schema, each);
    if (chunks.kind != Chunks::Kind::shaped || shape_bytes(slab, size_of(each.type)) < small_record_bytes) continue;
    std::string &names = variables["chunks of " + text_of(chunks.shape) + " (" +
                                   in_mebibytes(shape_bytes(chunks.shape, size_of(each.type))) + ": " +
                                   auto_shape(slab, each, whole, writers).reason + "): "];
    names += (names.empty() ? "" : ", ") + each.name;
  }
  for (const auto &[what, names] : variables) told.push_back(what + names);
  return told;
}

int64_t chunk_stripe(const Schema &schema, const Variable &variable, const Chunks &chunks, int64_t otherwise) {
  if (chunks.kind != Chunks::Kind::shaped) return otherwise;
  const Index slab = schema.slab_shape(variable);
  const int skipped = variable.record_axes();
  int d = slab.n - 1;
  while (d >= 0 && chunks.shape[d + skipped] == slab[d]) --d;  // whole dimensions, fastest first
  // The dimension that is cut, and nothing but single cells before it.
  for (int slower = 0; slower < d; ++slower)
    if (chunks.shape[slower + skipped] != 1) return otherwise;
  if (d > 0 && slab[d] % chunks.shape[d + skipped] != 0) return otherwise;  // the last chunk of each row is smaller
  return shape_bytes(chunks.shape, size_of(variable.type));
}

}  // namespace sv
