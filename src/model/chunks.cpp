#include "model/chunks.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>

#include "base/arithmetic.hpp"
#include "base/error.hpp"
#include "model/auto_chunks.hpp"
#include "model/error_encoder.hpp"

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
                "chunks.layout = " + std::to_string(request.cx) + "," + std::to_string(request.cy) + " for axes of " +
                    std::to_string(nx) + " x " + std::to_string(ny) + " cells",
                "Give at most as many segments (x first) as there are cells");
  chunk[slab.n - 1] = divide_up(nx, request.cx);
  chunk[slab.n - 2] = divide_up(ny, request.cy);
  return chunk;
}

/// The shape may begin with the number of records. No chunk is longer than a dimension of fixed length.
Index of_given_shape(const Schema &schema, const Variable &variable, const ChunkRequest &request) {
  const Index slab = chunked_shape(schema, variable), &shape = request.shape;
  const std::span<const int> dims = variable.slab_dims();
  Index chunk(slab.n, 1);
  for (int at = std::max(slab.n - shape.n, 0); at < slab.n; ++at) {
    const int64_t asked = std::max<int64_t>(shape[at - slab.n + shape.n], 1);
    const bool grows = schema.dims[static_cast<size_t>(dims[static_cast<size_t>(at)])].grows;
    chunk[at] = grows && request.own_chunks ? asked : std::min(asked, std::max<int64_t>(slab[at], 1));
  }
  return chunk;
}

/// Of a shape that was asked for one variable itself, the records count, but where each commit would write such chunks
/// anew.
int64_t given_records(const Index &slab, const ChunkRequest &request) {
  const bool is_rewritten = request.each_step && (request.has_filters() || request.only_chunks);
  const bool counts = request.own_chunks ? !is_rewritten : !request.one_record;
  return request.shape.n > slab.n && counts ? std::max<int64_t>(request.shape[0], 1) : 1;
}

/// CF conventions: coordinates, their bounds and auxiliary coordinates are not quantized.
bool is_coordinate(const Schema &schema, const Variable &variable) {
  for (const int dim : variable.dims)
    if (schema.dims[static_cast<size_t>(dim)].name == variable.name) return true;
  for (const Variable &other : schema.variables)
    for (const char *role : {"bounds", "climatology", "coordinates"}) {
      const Attribute *names = find_attribute(other.attributes, role);
      std::istringstream list(names == nullptr ? "" : text_of(*names).value_or(""));
      for (std::string name; list >> name;)
        if (name == variable.name) return true;
    }
  return false;
}

void check_filters(const ChunkRequest &request) {
  if (request.kind == ChunkRequest::Kind::contiguous && request.has_filters())
    throw Error(Status::invalid, "contiguous variables have neither compression nor checksums",
                "Leave out the compression and 'compression.checksum', or choose other chunks");
  if (request.records > 1 && request.each_step && (request.has_filters() || request.only_chunks))
    throw Error(
        Status::invalid, "'chunks.records' in a growing file: each step is committed, and would write its chunks anew",
        "Leave 'chunks.records' out, or make the file 'published'; sv-copy makes such chunks of the complete file");
  if (request.deflate > 0 && request.zstd > 0)
    throw Error(Status::invalid, "deflate and zstd are both asked for", "Leave one of them out");
  if (request.compresses() && request.blosc && !request.only_chunks)
    throw Error(Status::invalid, "Blosc compresses the chunks of Zarr groups only", "Leave it out, or write Zarr");
  const auto encoder = find_encoder(request.quantization.encoder);
  if (encoder && request.only_chunks)
    throw Error(Status::unsupported, std::string(encoder->name) + " encodes the chunks of netCDF-4 files only",
                "Leave it out, so that values are rounded within the bound, or write netCDF-4");
  if (encoder && request.fletcher32)
    throw Error(Status::invalid, std::string("a checksum with ") + encoder->name + ", which changes values after it",
                "Leave out 'compression.checksum' or the encoder");
}

/// What the encoder cannot take is rounded within the same bound.
Quantization encodable(Quantization quantization, const Chunks &chunks) {
  const bool is_taken =
      chunks.kind == Chunks::Kind::shaped && is_encodable(quantization, chunks.shape) && !swaps(chunks.endian);
  if (!is_taken) quantization.encoder = Quantization::Encoder::rounding;
  return quantization;
}

bool swaps_bytes(const Variable &variable, Endian endian) { return swaps(endian) && size_of(variable.type) > 1; }

/// In Zarr, only Blosc shuffles.
void compress(Chunks &chunks, const ChunkRequest &request) {
  chunks.deflate = request.deflate;
  chunks.zstd = request.zstd;
  chunks.blosc = request.compresses() && request.blosc;
  chunks.shuffle = request.compresses() && request.shuffle && (chunks.blosc || !request.only_chunks);
  chunks.fletcher32 = request.fletcher32;
}

/// Records of less than a page share chunks. If the file is not read before its end, these wait in memory and are
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
                "Give a smaller 'chunks.records', more segments in 'chunks.layout', or a smaller 'chunks.shape'");
}

std::string in_mebibytes(int64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f MiB", static_cast<double>(bytes) / (1 << 20));
  return text;
}

}  // namespace

namespace {

/// `request`: of this variable. The bound that a file states holds for all its values: only rounding within it follows.
Quantization quantization_by(const Schema &schema, const Variable &variable, const ChunkRequest &request) {
  if (variable.type != Type::float32 && variable.type != Type::float64) return {};
  const Quantization &asked = request.quantization;
  if (variable.storage != nullptr && variable.storage->is_found) {
    const Quantization found = variable.storage->quantization();
    if (found.has_bound() || asked.has_bound()) return found.has_bound() ? found : Quantization{};
  }
  if (asked.amount <= 0 || asked.amount > most_kept(variable.type, asked.mode)) return {};
  const bool by_program =
      variable.storage != nullptr && !variable.storage->is_found && variable.storage->quantize.value_or(0) > 0;
  return by_program || !is_coordinate(schema, variable) ? asked : Quantization{};
}

/// By which of the ways a variable with dimensions gets its chunks.
struct Choice {
  bool by_axes, by_shape, by_library;
  bool followed;  // it has chunks in any format
  bool small;     // its records share chunks
};

Choice choice_of(const Schema &schema, const Variable &variable, const ChunkRequest &request) {
  const Index slab = chunked_shape(schema, variable);
  const bool has_axes = slab.n >= 2;
  const bool is_encoded = request.own_filters || request.own_quantization || swaps_bytes(variable, request.endian);
  Choice choice{};
  choice.by_axes = request.cx > 0 && has_axes;
  choice.by_shape = !choice.by_axes && request.kind == ChunkKind::given && (has_axes || request.own_chunks) &&
                    std::ssize(variable.dims) >= request.shape.n;
  choice.by_library = request.kind == ChunkKind::library && !request.only_chunks;
  const bool is_unlimited = variable.has_records || schema.has_growing_slab(variable);
  const bool needed = is_unlimited || (request.has_filters() && has_axes) || is_encoded;
  choice.followed = needed || choice.by_axes || choice.by_shape || request.kind == ChunkKind::by_writers;
  choice.small = variable.has_records && !choice.by_axes && !choice.by_shape && !is_encoded &&
                 shape_bytes(slab, size_of(variable.type)) < small_record_bytes;
  return choice;
}

}  // namespace

Quantization quantization_of(const Schema &schema, const Variable &variable, const ChunkRequest &of_file) {
  const ChunkRequest request = request_of(of_file, variable);
  const Quantization how = quantization_by(schema, variable, request);
  const bool is_stated = variable.storage != nullptr && variable.storage->is_found && how.has_bound();
  return !is_stated && how.amount > 0 && choice_of(schema, variable, request).small ? Quantization{} : how;
}

namespace {

/// Of chunks that the library does not choose.
AutoShape shape_of(const Schema &schema, const Variable &variable, const ChunkRequest &request, int writers) {
  const Choice choice = choice_of(schema, variable, request);
  const Index slab = chunked_shape(schema, variable);
  const int64_t bytes = size_of(variable.type);
  if (choice.by_axes) return {.slab = by_layout(slab, request)};
  if (choice.by_shape)
    return {.slab = of_given_shape(schema, variable, request), .records = given_records(slab, request)};
  if (request.kind == ChunkRequest::Kind::by_writers) return {.slab = following_writers(slab, bytes, request, writers)};
  if (!choice.followed) return {.slab = of_contiguous(slab, bytes, writers)};
  return auto_shape(slab, variable, summed(request, schema), writers);
}

/// `request`: of this variable.
Chunks made_chunks(const Schema &schema, const Variable &variable, const ChunkRequest &request, int writers) {
  Chunks chunks;
  const Choice choice = choice_of(schema, variable, request);
  const Index slab = chunked_shape(schema, variable);
  if (!choice.followed && !choice.by_library && !request.only_chunks) return chunks;
  if (choice.small && !choice.by_library)
    return of_small_records(slab, shape_bytes(slab, size_of(variable.type)), request);
  if (!choice.small && (choice.followed || choice.by_library)) compress(chunks, request);
  chunks.kind = choice.by_library && !choice.by_axes ? Chunks::Kind::library : Chunks::Kind::shaped;
  if (chunks.kind == Chunks::Kind::library) return chunks;
  const AutoShape shape = shape_of(schema, variable, request, writers);
  if (variable.has_records) chunks.shape.push(request.records > 0 ? request.records : shape.records);
  for (int d = 0; d < shape.slab.n; ++d) chunks.shape.push(std::max<int64_t>(shape.slab[d], 1));
  if (request.shards != ChunkRequest::Shards::none && request.only_chunks) {
    chunks.inside = chunks.shape;
    chunks.shape = shard_of(slab, chunks.inside, size_of(variable.type), request);
  }
  return chunks;
}

}  // namespace

namespace {

/// Strings are written by one rank, record by record, and never compressed. HDF5 writes those of netCDF-4 files, and so
/// takes chunks of any shape.
Chunks chunks_of_strings(const Schema &schema, const Variable &variable) {
  Chunks chunks;
  const VariableStorage *const asked = variable.storage.get();
  if (is_netcdf4(schema.format) && asked != nullptr && !asked->is_found && asked->chunks == ChunkKind::given) {
    chunks.kind = Chunks::Kind::shaped;
    chunks.shape = asked->shape;
    return chunks;
  }
  if (!variable.has_records && !schema.has_growing_slab(variable)) return chunks;
  chunks.kind = Chunks::Kind::shaped;
  if (variable.has_records) chunks.shape.push(1);
  const Index slab = chunked_shape(schema, variable);
  for (int d = 0; d < slab.n; ++d) chunks.shape.push(std::max<int64_t>(slab[d], 1));
  return chunks;
}

}  // namespace

Chunks chunks_of(const Schema &schema, const Variable &variable, const ChunkRequest &of_file, int writers) {
  Chunks chunks;
  if (variable.dims.empty()) return chunks;  // a scalar
  if (variable.type == Type::string) return chunks_of_strings(schema, variable);
  try {
    const ChunkRequest request = request_of(of_file, variable);
    check_filters(request);
    chunks = made_chunks(schema, variable, request, writers);
    if (chunks.kind != Chunks::Kind::contiguous && !choice_of(schema, variable, request).small)
      chunks.quantization = quantization_by(schema, variable, request);
    if (chunks.kind != Chunks::Kind::contiguous) chunks.endian = request.endian;
    chunks.quantization = encodable(chunks.quantization, chunks);
    if (chunks.kind == Chunks::Kind::shaped) check_size(chunks, size_of(variable.type));
  } catch (Error &error) {
    throw error.in_variable(variable.name);
  }
  return chunks;
}

VariableStorage as_storage(const Chunks &chunks) {
  VariableStorage made;
  made.chunks = chunks.kind == Chunks::Kind::contiguous ? ChunkKind::contiguous
                : chunks.kind == Chunks::Kind::library  ? ChunkKind::library
                                                        : ChunkKind::given;
  made.shape = chunks.inside.n > 0 ? chunks.inside : chunks.shape;
  made.deflate = chunks.deflate;
  made.zstd = chunks.zstd;
  made.shuffle = chunks.shuffle;
  made.fletcher32 = chunks.fletcher32;
  made.blosc = chunks.blosc;
  made.set_quantization(chunks.quantization);
  made.endian = chunks.endian;
  return made;
}

namespace {

/// Variables by their description.
using Descriptions = std::map<std::string, std::string>;

void describe(Descriptions &all, const std::string &what, const std::string &variable) {
  std::string &names = all[what];
  names += (names.empty() ? "" : ", ") + variable;
}

/// The variable's own request; empty if there is none.
std::string asked_for(const ChunkRequest &of_file, const Variable &variable) {
  const bool by_program = variable.storage != nullptr && !variable.storage->is_found;
  if (const VariableStorage *const asked = pattern_for(of_file, variable.name))
    return in_words(*asked) + " (as 'variables' says" +
           (by_program ? "; the program: " + in_words(*variable.storage) : "") + "): ";
  return by_program ? in_words(*variable.storage) + " (as the program says): " : "";
}

}  // namespace

std::vector<std::string> described_chunks(const Schema &schema, const ChunkRequest &of_file, int writers) {
  const ChunkRequest whole = summed(of_file, schema);
  Descriptions shapes, wishes;
  for (const Variable &each : schema.variables) {
    if (const std::string what = asked_for(of_file, each); !what.empty()) describe(wishes, what, each.name);
    const ChunkRequest request = request_of(whole, each);
    if (request.kind != ChunkRequest::Kind::automatic || of_file.kind != ChunkRequest::Kind::automatic) continue;
    const Chunks chunks = chunks_of(schema, each, whole, writers);
    const Index slab = chunked_shape(schema, each);
    const int64_t bytes = size_of(each.type);
    if (chunks.kind != Chunks::Kind::shaped || shape_bytes(slab, bytes) < small_record_bytes) continue;
    describe(shapes,
             "chunks of " + in_words(chunks.shape) + " (" + in_mebibytes(shape_bytes(chunks.shape, bytes)) + ": " +
                 auto_shape(slab, each, request, writers).reason + "): ",
             each.name);
  }
  std::vector<std::string> lines;
  for (const Descriptions *const all : {&shapes, &wishes})
    for (const auto &[what, names] : *all) lines.push_back(what + names);
  return lines;
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
