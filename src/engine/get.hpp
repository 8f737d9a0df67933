// Getting values: sv_get, sv_get_var, sv_get_vara. Collective, all of it.
#pragma once

#include "layout/strided.hpp"
#include "rounds/field_job.hpp"

namespace sv {

/// The counterpart of put: each rank gets its block; the halo is left as it is.
void get(File &file, int variable, const Decomp *decomp, int64_t record, const Values &values);
/// Every rank gets the whole variable (or record): rank 0 reads and tells.
void get_replicated(File &file, int variable, int64_t record, const Values &values);
/// Each rank gets its own sub-array; they may overlap. `request` has all of the variable's dimensions, and so has
/// `values.stride`.
void get_subarray(File &file, int variable, const Strided &request, const Values &values);

}  // namespace sv
