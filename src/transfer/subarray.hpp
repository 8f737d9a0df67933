// Checks of sub-arrays and of lists of regions, which requests and gets call, and the place of a record in a caller's
// array. Local.
#pragma once

#include "layout/region_list.hpp"
#include "packing/memory_view.hpp"
#include "transfer/field_job.hpp"

namespace sv {

/// Throws Error(invalid) when the request (of all the variable's dimensions) does not lie in the variable; beyond the
/// last record only where `may_grow`.
void check_subarray(const File &file, int variable, const Strided &request, bool may_grow);

/// The same for each of them; of single cells at the cost of comparing their numbers.
void check_regions(const File &file, int variable, const RegionList &regions, bool may_grow);

/// This rank's part of one record (−1: of a variable without records) in the caller's array.
MemoryView record_view(const Strided &request, const Values &values, int64_t record);

}  // namespace sv
