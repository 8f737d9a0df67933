// Declaring decompositions: sv_def_decomp and sv_def_points. Collective; errors are the same on every rank.
#pragma once

#include <string>

#include "file/context.hpp"
#include "rounds/points.hpp"

namespace sv {

Decomp *define_decomp(Context &context, const DecompRequest &request);
/// `call`: the name of the function, for messages.
Decomp *define_points(Context &context, const std::string &call, const PointsRequest &request);

}  // namespace sv
