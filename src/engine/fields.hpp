// Puts and gets of a distributed field whose decomposition gives the file positions of its cells; and the common
// beginning and end of all gets. Collective.
#pragma once

#include <string>

#include "transfer/slab_reading.hpp"

namespace sv {

/// Writes the field now. `values.data` points at the first element of this rank's array, halo included.
void put_field(File &file, int variable, const Decomp *decomp, int64_t record, const Values &values);

/// A text of the arguments that must be equal on all ranks of a call for a distributed field.
std::string on_decomp(const Decomp *decomp, int first_axis);

/// Local. Throws Error(invalid) unless the decomposition can be used in this context.
void check_decomp(const Context &context, const Decomp *decomp);

/// The way back: each rank gets its block; the halo is left as it is.
void get_field(File &file, int variable, const Decomp *decomp, int64_t record, const Values &values);

/// Local. The checks that every reading call makes; then its row is known.
void check_reading(SlabReading &reading, const Values &values, bool has_cells);
/// Passes the gate at the end of a call in which each rank read by itself. `call`: names it where it is the only gate.
void conclude_reading(const SlabReading &reading, std::optional<Error> error, const std::string &call = {});

}  // namespace sv
