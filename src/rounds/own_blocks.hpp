// Blocks that are long stretches of the file (own_stretches.hpp): what a rank has of such a field, it writes and reads
// by itself. What stands in memory as in the file is not packed. The puts and gets of fields ask it.
#pragma once

#include <cstdint>
#include <optional>

#include "rounds/field_job.hpp"

namespace sv {

/// The same on all ranks: whether these write the blocks of a field that is not filled.
bool writes_own_blocks(const FieldJob &job);
/// The same of reading, where nobody says who reads: no rank needs to bring the others what they can read as well.
bool reads_own_blocks(const FieldJob &job);

struct OwnBlocks {
  std::optional<Error> error;  // that this rank fails with
  CallPrice calls;             // for learn_calls (own_stretches.hpp)
};
/// Local. Writes this rank's blocks.
OwnBlocks write_own_blocks(const FieldJob &job, const FieldPieces<PackRow> &pieces);

}  // namespace sv
