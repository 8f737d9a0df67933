// Points that every rank writes by itself: the route `shared`.
#pragma once

#include "rounds/field_job.hpp"

namespace sv {

/// Collective. Each rank writes its runs, in bounded memory; `fills`: what nobody owns gets the fill value before.
/// Returns what this rank fails with.
std::optional<Error> write_own_points(const FieldJob &job, const FieldPieces<PackRow> &pieces, bool fills);

}  // namespace sv
