// What each rank writes of a field by itself where its blocks are long stretches of the file: it packs a part that
// stays in the processor's cache, and writes it; what stands in memory as in the file is not packed. So ranks pack
// while others write, and nothing goes through a window. The writing of fields calls it.
#pragma once

#include <cstdint>
#include <optional>

#include "rounds/field_job.hpp"

namespace sv {

/// The same on all ranks. Where nobody asks for a route, on one node, and the field comes in one round: whether every
/// block of it is made of long stretches of a file that all can open, and calls of the system are quick.
bool are_long_stretches(const FieldJob &job);
struct OwnBlocks {
  std::optional<Error> error;    // that this rank fails with
  int64_t extra_us = INT64_MAX;  // of the quickest call, beyond the time for its bytes
};
/// Local. Writes this rank's blocks.
OwnBlocks write_own_blocks(const FieldJob &job, const FieldPieces<PackRow> &pieces);
/// The same on all ranks: `extra_us` of the quickest call of all. If it is long, are_long_stretches is false from now
/// on.
void learn_calls(File &file, int64_t extra_us);

}  // namespace sv
