// The default shapes of chunks: of 4 to 16 MiB, so that a map and a series of one point both read
// few of them (CMIP7 asks for 4 MiB and more). chunks.hpp asks for them.
// Values; no MPI, no netCDF.
#pragma once

#include "model/chunk_request.hpp"

namespace sv {

/// Of a record of a variable, or of one without records.
struct AutoShape {
  Index slab;               // of a chunk, in one record
  int64_t records = 1;      // in a chunk
  const char *reason = "";  // of the number of records
};

/// `slab`: of a variable, or of a record of it. `request`: with the sum of all variables, which share the memory in
/// which the writers keep chunks that are not whole yet.
AutoShape auto_shape(const Index &slab, const Variable &variable, const ChunkRequest &request, int writers);

}  // namespace sv
