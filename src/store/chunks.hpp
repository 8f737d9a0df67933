// Chunks of netCDF-4 variables. Values; no MPI, no netCDF.
#pragma once

#include <cstdint>
#include <string>

#include "store/schema.hpp"

namespace sv {

/// How a file's variables are chunked and compressed. Yang et al. 2020: `chunk_layout = cx, cy` are numbers of segments
/// of the global x and y axes, not cells; a chunk is ⌈nx/cx⌉ × ⌈ny/cy⌉ cells, all levels, one record.
struct ChunkRequest {
  enum class Kind {
    automatic,   // contiguous; chunks of the writers' ranges where the format wants chunks
    contiguous,  // the same, but never compressed
    library,     // netCDF's own default chunks
    by_writers,  // chunks of the writers' ranges, always
    given        // of `shape`; of variables that have fewer axes, automatic
  };
  Kind kind = Kind::automatic;
  Index shape{};               // where given: of the last axes, slowest first; of the others one cell, and one record
  int cx = 0, cy = 0;          // chunk_layout; 0: not given. Where given, it decides for variables of two axes and more
  int deflate = 0;             // 1 to 9; 0: none
  bool shuffle = true;         // before deflating
  int quantize = 0;            // BitRound: bits kept of the mantissa of float and double; 0: all
  std::string codec = "auto";  // the library that deflates
};

/// Whether a request to quantize is meant for this variable: one of float or double that is no coordinate.
bool is_quantized(const Schema &schema, const Variable &variable, const ChunkRequest &request);

/// How one variable is stored.
struct Chunks {
  enum class Kind { contiguous, library, shaped };
  Kind kind = Kind::contiguous;
  Index shape;  // of a chunk, with all of the variable's dimensions; where shaped
  int deflate = 0;
  bool shuffle = false;
  int quantize = 0;
};

/// Throws Error(limit), naming the variable, for a chunk of 4 GiB or more (HDF5's limit), Error(invalid) for a layout
/// of more segments than cells and for `contiguous` with deflate. Chunks that follow the ranges of `writers` writers
/// are whole rows of the slowest dimensions; where compressed, at most 4 MiB. Variables with less than 4 KiB a record
/// are not compressed, and have chunks of many records; coordinates are not quantized.
Chunks chunks_of(const Schema &schema, const Variable &variable, const ChunkRequest &request, int writers);

/// The unit in which writers own the variable: the bytes of a chunk that is contiguous in the variable's order, so that
/// no two writers share one; otherwise `otherwise`.
int64_t chunk_stripe(const Schema &schema, const Variable &variable, const Chunks &chunks, int64_t otherwise);

}  // namespace sv
