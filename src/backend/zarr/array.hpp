// How one array of a Zarr group is stored: its chunks, their files, and their codecs. The metadata describe it
// (metadata.hpp), and the values are written and read by it (values.hpp). Values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "layout/box.hpp"
#include "model/chunks.hpp"
#include "model/schema.hpp"

namespace sv::zarr {

/// A codec from bytes to bytes.
struct ByteStep {
  enum class Kind { gzip, zstd, blosc, crc32c };
  Kind kind;
  int level = 1;
  std::string inside = "zstd";  // blosc: the compressor in it
  int shuffle = 1;              // blosc: of nothing, bytes, bits
  int64_t element_bytes = 1;    // blosc
};

/// What becomes of a chunk's values: first bytes, then what the steps make of them.
struct Encoding {
  bool is_big_endian = false;
  std::vector<ByteStep> steps;
};

struct Array {
  Index shape;    // of its metadata, records included
  Index in_file;  // cells of one file: a chunk, or a shard, which holds many
  Index chunk;    // cells of a chunk
  bool is_sharded = false;
  bool index_first = false;   // a shard's index stands before its chunks
  bool index_has_sum = true;  // and a CRC-32C behind it
  bool index_is_big = false;  // in big-endian order
  Encoding encoding;
  Quantization quantization{};  // of one that is written
  char separator = '/';         // of the numbers in the name of a file
  bool has_prefix = true;       // whose first part is then "c"
  std::vector<std::byte> fill;  // native order

  /// Whether it is stored as this store's metadata describe (metadata.hpp): no other array is written.
  bool is_as_written_here() const;
  /// Name of the file with the cells from `first` on, below the array's own folder.
  std::string name_of_file(const Index &first) const;
  /// The first cell of the file that has this cell.
  Index file_of(const Index &cell) const;
  /// Chunks of the file from the cell `first` on that begin in an array of these lengths.
  int64_t chunks_in(const Index &first, const Index &length) const;
  /// Chunks of a shard, and the number of the chunk that begins at `cell` in its shard.
  int64_t chunks_in_file() const;
  int64_t number_in_file(const Index &cell) const;
};

/// How a new array is stored. `writers`: how many share it. Throws what chunks_of does.
Array array_of(const Schema &schema, const Variable &variable, const ChunkRequest &request, int writers);
/// How an array that was found is stored, in the words of the model.
VariableStorage found_storage(const Array &array, const std::vector<Attribute> &attributes);

}  // namespace sv::zarr
