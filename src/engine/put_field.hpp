// A put of a distributed field whose decomposition says where its cells stand in the file. Collective.
#pragma once

#include <string>

#include "rounds/field_job.hpp"

namespace sv {

/// Writes the field now. `values.data` points at the first element of this rank's array, halo included.
void put_field(File &file, int variable, const Decomp *decomp, int64_t record, const Values &values);

/// What must be equal on all ranks of a call for a distributed field, in words.
std::string on_decomp(const Decomp *decomp, int first_axis);

/// Local. Throws Error(invalid) unless the decomposition can be used in this context.
void check_decomp(const Context &context, const Decomp *decomp);

}  // namespace sv
