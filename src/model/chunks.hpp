// Chunks of netCDF-4 and Zarr variables. Values; no MPI, no netCDF.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/chunk_request.hpp"

namespace sv {

/// How values of this variable are quantized if it has chunks; amount 0: they are not. Floats and doubles are, but no
/// coordinates, unless the program asks for it, and no small records. Of a variable of an opened file that states an
/// error bound: this bound.
Quantization quantization_of(const Schema &schema, const Variable &variable, const ChunkRequest &of_file);

/// How one variable is stored.
struct Chunks {
  enum class Kind { contiguous, library, shaped };
  Kind kind = Kind::contiguous;
  Index shape;   // of a chunk, or a shard, with all of the variable's dimensions; where shaped
  Index inside;  // of the chunks of a shard; no dimensions where there are no shards
  int deflate = 0, zstd = 0;
  bool shuffle = false, fletcher32 = false, blosc = false;
  Quantization quantization{};
  Endian endian = Endian::native;
};

/// `of_file`: the request for all variables; that for this one overrides it (request_of).
/// Throws Error(limit), naming the variable, for a chunk of 4 GiB or more (HDF5's limit), Error(invalid) for a layout
/// of more segments than cells, for `contiguous` with compression and for two kinds of it. Chunks that follow the
/// ranges of `writers` writers are whole rows of the slowest dimensions; where compressed, at most 4 MiB. Variables
/// with less than 4 KiB a record have chunks of many records; coordinates are not quantized. Where a format has only
/// chunks, variables that would be contiguous have one for every MiB, but no more than writers.
Chunks chunks_of(const Schema &schema, const Variable &variable, const ChunkRequest &of_file, int writers);

/// The same as a request, so that a program can repeat it for another file.
VariableStorage as_storage(const Chunks &chunks);

/// In words, for the summary: the shapes that were chosen, of which variables, with reasons; and the own
/// requests of variables.
std::vector<std::string> described_chunks(const Schema &schema, const ChunkRequest &request, int writers);

/// The unit in which writers own the variable: the bytes of a chunk that is contiguous in the variable's order, so that
/// no two writers share one; otherwise `otherwise`.
int64_t chunk_stripe(const Schema &schema, const Variable &variable, const Chunks &chunks, int64_t otherwise);

}  // namespace sv
