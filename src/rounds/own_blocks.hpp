// Blocks that are long stretches of the file: what a rank has of such a field, it writes and reads by itself, and
// nothing goes through a window. To write, it packs a part that stays in the processor's cache, and writes that, while
// others pack; what stands in memory as in the file is not packed. The puts and gets of fields ask it.
#pragma once

#include <cstdint>
#include <optional>

#include "rounds/field_job.hpp"

namespace sv {

/// The same on all ranks: whether these write the blocks of a field that is not filled. Where nobody asks for a route,
/// on one node, where the field comes in one round, and calls of the system are quick.
bool writes_own_blocks(const FieldJob &job);
/// The same of reading, where nobody says who reads: no rank needs to bring the others what they can read as well.
bool reads_own_blocks(const FieldJob &job);

struct OwnBlocks {
  std::optional<Error> error;    // that this rank fails with
  int64_t extra_us = INT64_MAX;  // of the quickest call of one part, beyond the time for its bytes; unknown
};
/// Local. Writes this rank's blocks.
OwnBlocks write_own_blocks(const FieldJob &job, const FieldPieces<PackRow> &pieces);
/// The same on all ranks: `extra_us` of the quickest call of all. If it is long, writes_own_blocks is false from now
/// on.
void learn_calls(File &file, int64_t extra_us);

}  // namespace sv
