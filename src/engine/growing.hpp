// Makes the unlimited dimensions of a file longer that are no record dimension, before a put that reaches beyond them.
// The puts of sub-arrays call it; it moves no values. Collective: all ranks call it for the same variable.
#pragma once

#include "file/file.hpp"
#include "layout/strided.hpp"

namespace sv {

/// Lengthens every such dimension of the variable to the furthest cell of any rank. `request`: this rank's cells; the
/// put itself reports their errors. Communicates only for a variable that has such dimensions. Throws Error(order), on
/// all ranks, if the dimensions of the file cannot grow.
void grow_for(File &file, int variable, const Strided &request);

}  // namespace sv
