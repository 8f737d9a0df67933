// What is asked of the chunks of netCDF-4 and Zarr variables, by the keys of the configuration, and boxes that are cut.
// Values; no MPI, no netCDF.
#pragma once

#include <cstdint>
#include <string>

#include "model/schema.hpp"

namespace sv {

/// How mantissas of floats and doubles are cut, so that chunks compress better. BitRound keeps `amount` bits; BitGroom
/// (Zender 2016) and Granular BitRound keep as many as `amount` significant decimal digits need.
struct Quantization {
  enum class Mode { bit_round, bit_groom, granular };
  Mode mode = Mode::bit_round;
  int amount = 0;  // 0: nothing is cut
};

/// How a file's variables are chunked and compressed. Yang et al. 2020: `chunk_layout = cx, cy` are numbers of segments
/// of the global x and y axes, not cells; a chunk is ⌈nx/cx⌉ × ⌈ny/cy⌉ cells, all levels, one record.
struct ChunkRequest {
  enum class Kind {
    automatic,   // contiguous; chunks of 4 to 16 MiB where the format wants chunks (auto_chunks.hpp)
    contiguous,  // the same, but never compressed
    library,     // netCDF's own default chunks
    by_writers,  // chunks of the writers' ranges, always
    given        // of `shape`; of variables that have fewer dimensions, automatic
  };
  Kind kind = Kind::automatic;
  Index shape{};             // where given: of the last dimensions, slowest first; of the others one cell
  int cx = 0, cy = 0;        // chunk_layout; 0: not given. Where given, it decides for variables of two axes and more
  int deflate = 0;           // 1 to 9; 0: none
  int zstd = 0;              // 1 to 22, instead of deflate; 0: none
  bool zstd_anyway = false;  // also where a reader on this machine could not read it
  bool fletcher32 = false;   // a checksum of each chunk
  bool shuffle = true;       // before compressing
  Quantization quantization{};  // of variables that have chunks and are no coordinates
  std::string codec = "auto";   // the library that deflates
  int threads = 1;              // with which a rank compresses
  int64_t record_bytes = 0;     // of all variables together, whose chunks wait; 0: chunks_of sums them up
  bool only_chunks = false;     // the format has no contiguous variables
  /// Of Zarr: files hold shards of many chunks, as many as make 64 MiB, or at least these cells of the last axes.
  enum class Shards { none, automatic, given };
  Shards shards = Shards::none;
  Index shard_shape{};
  int records = 0;          // in a chunk of a variable that has some; 0: automatic, as many as it finds; else 1
  bool one_record = false;  // automatic chunks do not wait for other records: as each_step, or a library writes
  bool each_step = false;   // of a growing file: each step is committed

  bool compresses() const { return deflate > 0 || zstd > 0; }
};

/// With the sum of all variables, for who asks for the chunks of many.
ChunkRequest summed(ChunkRequest request, const Schema &schema);

/// Records of less than this share chunks: of 64 KiB that are not compressed, or of 512 KiB where these can wait.
constexpr int64_t small_record_bytes = 4096, small_chunks_bytes = 512 << 10;

/// Of a box; INT64_MAX where it has more.
int64_t shape_bytes(const Index &shape, int64_t element_bytes);

/// `slab`, cut into at least `parts` boxes that are contiguous in its order: whole rows of its slowest dimensions.
Index cut_in_order(Index slab, int64_t parts);

}  // namespace sv
