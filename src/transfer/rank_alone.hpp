// A rank that needs no other one, in a communicator of one rank: it packs a small field and writes it, without a window
// (Strategy::independent). transfer/writing.cpp calls it. Local.
#pragma once

#include "transfer/field_job.hpp"

namespace sv {

/// Packs and writes a field of one block.
void write_alone(const FieldJob &job, const FieldPieces<PackRow> &pieces);

}  // namespace sv
