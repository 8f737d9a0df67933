// What each rank writes of a field by itself where its blocks are long stretches of the file: it packs a part that
// stays in the processor's cache, and writes it; what stands in memory as in the file is not packed. So ranks pack
// while others write, and nothing goes through a window. The writing of fields calls it.
#pragma once

#include "rounds/field_job.hpp"

namespace sv {

/// The same on all ranks. Where nobody asks for a route, on one node: whether every block of the field is one long
/// stretch of a file that all can open, and calls of the system are quick.
bool are_long_stretches(const FieldJob &job);
/// Collective, after all have agreed on the call. Agrees on how it ended: an error of any rank fails the file, and is
/// thrown on every rank.
void write_own_blocks(const FieldJob &job, const FieldPieces<PackRow> &pieces);

}  // namespace sv
