// Fields of whose blocks each is long stretches of the file: each rank writes its blocks by itself, and packs nothing
// that stands in memory as in the file (Strategy::own_stretches). The transfers of fields call it.
#pragma once

#include <cstdint>
#include <optional>

#include "transfer/field_job.hpp"

namespace sv {

struct OwnBlocks {
  std::optional<Error> error;  // that this rank fails with
  CallPrice calls;             // for learn_calls (own_stretches.hpp)
};
/// Local. Writes this rank's blocks.
OwnBlocks write_own_blocks(const FieldJob &job, const FieldPieces<PackRow> &pieces);

}  // namespace sv
