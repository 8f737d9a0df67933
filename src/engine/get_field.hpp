// A get of a distributed field whose decomposition says where its cells stand in the file; and what all gets begin and
// end with. Collective.
#pragma once

#include "rounds/slab_reading.hpp"

namespace sv {

/// Each rank gets its block; the halo is left as it is.
void get_field(File &file, int variable, const Decomp *decomp, int64_t record, const Values &values);

/// Local. The checks that every reading call makes; then its row is known.
void check_reading(SlabReading &reading, const Values &values, bool has_cells);
/// Passes the gate at the end of a call in which each rank read by itself.
void conclude_reading(const SlabReading &reading, std::optional<Error> error);

}  // namespace sv
