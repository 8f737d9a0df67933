// A rank that has nobody to meet, in a run or a communicator of one rank: it packs a small field and writes it, and
// needs no window for that. The puts of fields and of recorded requests ask it. Local, all of it.
#pragma once

#include <optional>

#include "rounds/field_job.hpp"

namespace sv {

/// Whether a rank that has nobody to meet writes the values of this file, within its calls, to where these stand.
bool writes_alone(const File &file);
/// And whether it writes this field by write_alone: small, and of one block.
bool is_small_and_alone(const FieldJob &job);
/// Packs and writes it; returns what that fails with.
std::optional<Error> write_alone(const FieldJob &job, const FieldPieces<PackRow> &pieces);

}  // namespace sv
