// The requests for chunks of netCDF-4 and Zarr variables: by the keys of the configuration for a whole file, and for
// one variable by its storage (variable_storage.hpp); and boxes that are cut. Values; no MPI, no
// netCDF.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/schema.hpp"
#include "model/variable_storage.hpp"

namespace sv {

/// How a file's variables are chunked and compressed. Yang et al. 2020: `chunk_layout = cx, cy` are numbers of segments
/// of the global x and y axes, not cells; a chunk is ⌈nx/cx⌉ × ⌈ny/cy⌉ cells, all levels, one record.
struct ChunkRequest {
  using Kind = ChunkKind;
  Kind kind = Kind::automatic;
  Index shape{};             // where given: of the last dimensions, slowest first; of the others one cell
  int cx = 0, cy = 0;        // chunk_layout; 0: not given. Where given, it decides for variables of two axes and more
  int deflate = 0;           // 1 to 9; 0: none
  int zstd = 0;              // 1 to 22, instead of deflate; 0: none
  bool zstd_anyway = false;  // also where a reader on this machine could not read it
  bool fletcher32 = false;   // a checksum of each chunk
  bool shuffle = true;       // before compressing
  Quantization quantization{};           // of variables that have chunks and are no coordinates
  bool blosc = false;                    // Zarr: Blosc calls the compressor
  std::string deflate_library = "auto";  // a name of codec/
  int threads = 1;                       // with which a rank compresses
  int64_t record_bytes = 0;              // of all variables together, whose chunks wait; 0: chunks_of sums them up
  bool only_chunks = false;              // the format has no contiguous variables
  /// Of Zarr: files hold shards of many chunks, as many as make 64 MiB, or at least these cells of the last axes.
  enum class Shards { none, automatic, given };
  Shards shards = Shards::none;
  Index shard_shape{};
  int records = 0;          // in a chunk of a variable that has some; 0: automatic, as many as it finds; else 1
  bool one_record = false;  // automatic chunks do not wait for other records: as each_step, or a library writes
  bool each_step = false;   // of a growing file: each step is committed
  Endian endian = Endian::native;
  /// Of the configuration: for the variables that match a pattern, over the program's requests; the first one that
  /// matches counts.
  std::vector<std::pair<std::string, VariableStorage>> variables{};
  // Of request_of: the variable's own request counts also if it is small or has one dimension.
  bool own_chunks = false, own_filters = false, own_quantization = false;

  bool compresses() const { return deflate > 0 || zstd > 0; }
  bool has_filters() const { return compresses() || fletcher32; }
};

/// What the configuration asks for variables of this name; nullptr: nothing.
const VariableStorage *pattern_for(const ChunkRequest &of_file, const std::string &name);
/// The request for this variable: that of its program overrides `of_file`, and a pattern overrides both.
ChunkRequest request_of(const ChunkRequest &of_file, const Variable &variable);
/// Whether any variable is compressed, or compressed with Zstandard.
bool compresses(const Schema &schema, const ChunkRequest &of_file);
bool uses_zstd(const Schema &schema, const ChunkRequest &of_file);

/// With the sum of all variables, for who asks for the chunks of many.
ChunkRequest summed(ChunkRequest request, const Schema &schema);

/// Records of less than this share chunks: of 64 KiB that are not compressed, or of 512 KiB where these can wait.
constexpr int64_t small_record_bytes = 4096, small_chunks_bytes = 512 << 10;

/// Of a box; INT64_MAX where it has more.
int64_t shape_bytes(const Index &shape, int64_t element_bytes);

/// `slab`, cut into at least `parts` boxes that are contiguous in its order: whole rows of its slowest dimensions.
Index cut_in_order(Index slab, int64_t parts);

}  // namespace sv
