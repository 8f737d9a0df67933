// Fields of a netCDF-4 file: their chunks, and the counts of a plan by chunks.
#pragma once

#include <vector>

#include "config/settings.hpp"
#include "prediction/prediction.hpp"
#include "prediction/traffic.hpp"

namespace sv_plan {

/// Whether a file with these settings is netCDF-4, written by the store of that name.
bool is_netcdf4(const sv::FileSettings &settings);

/// Variables of a file, as far as chunks depend on them. Slowest first, without records.
struct ChunkedVariable {
  sv::Index shape;
  int64_t element_bytes = 8, count = 1;
  bool has_records = false;
};
/// The chunk of a record of variable `which`, in the field's dimensions; none where it is contiguous. As the library's
/// store has it; throws what the library refuses.
sv::Index chunk_of(const std::vector<ChunkedVariable> &file, size_t which, const sv::FileSettings &settings,
                   int owners);
/// The owners of chunks, as the library's home of such a file chooses them: all ranks, if chunks are compressed and no
/// number of writers is set.
sv::RouteRequest owners_of_chunks(const sv::FileSettings &settings, int ranks);

/// For a plan by chunks. An owner does not pack a chunk that its own block contains.
sv::PlanCounts counts_of_chunks(const sv::Plan &plan, const sv::Topology &topology, const sv::Striping &striping,
                                bool compresses);

}  // namespace sv_plan
