// Requests that follow no declared layout: a sub-array per rank. They are exchanged into a layout that lives for the
// call.
#pragma once

#include "assemble/memory_view.hpp"
#include "layout/region_list.hpp"
#include "rounds/field_job.hpp"

namespace sv {

/// Throws Error(invalid) when the request (of all the variable's dimensions) does not lie in the variable; beyond the
/// last record only where `may_grow`.
void check_subarray(const File &file, int variable, const Strided &request, bool may_grow);

/// The same for each of them; of single cells at the cost of comparing their numbers.
void check_regions(const File &file, int variable, const RegionList &regions, bool may_grow);

/// This rank's part of one record (−1: of a variable without records) in the caller's array.
MemoryView record_view(const Strided &request, const Values &values, int64_t record);

/// A request as it travels.
std::vector<int64_t> numbers_of(const Strided &request);
/// Collective. Everybody's request, by rank, where these are in the last gate (Context::agree_and_tell), if it carries
/// them.
std::vector<Strided> gather_requests(const Context &context, const Strided &mine);
/// Into how many parts of each rank a layout for a call is cut: memory for them is bounded.
int64_t parts_at_once(const std::vector<Strided> &requests);

}  // namespace sv
