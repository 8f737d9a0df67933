// Putting values: sv_put, sv_put_var, sv_put_vara. Collective, all of it. Where a file combines its puts, they are only
// recorded (engine/combine.hpp).
#pragma once

#include "layout/strided.hpp"
#include "rounds/field_job.hpp"

namespace sv {

/// A distributed field. `values.data` points at the first element of this rank's array, halo included.
void put(File &file, int variable, const Decomp *decomp, int64_t record, const Values &values);
/// A replicated field: every rank passes the same.
void put_replicated(File &file, int variable, int64_t record, const Values &values);
/// A sub-array per rank; `request` has the variable's dimensions, the record dimension included, and so has
/// `values.stride`. Where cells do not follow one another, in batches of bounded memory.
void put_subarray(File &file, int variable, const Strided &request, const Values &values);

}  // namespace sv
