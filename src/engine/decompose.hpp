// Declares decompositions: sv_def_decomp and sv_def_points, and points in an order of the caller, which map the cells
// of ranks to positions in a file. Collective, except functions that are documented as local; errors are the same on
// every rank.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "file/context.hpp"
#include "transfer/points.hpp"

namespace sv {

Decomp *define_decomp(Context &context, const DecompRequest &request);
/// `call`: the name of the function, for messages.
Decomp *define_points(Context &context, const std::string &call, const PointsRequest &request);

/// The numbers of the cells that a rank owns, in the order of its arrays. Local.
std::vector<int64_t> indices_of(const Layout &layout, int rank);

/// `positions`: of this rank's points, in the order of its arrays; borrowed. Throws Error(invalid) unless `points` are
/// cells, Error(layout) for a position that is out of range or comes twice.
Decomp *order_points(const Decomp &points, std::span<const int64_t> positions);

/// The first places, along the curve of layout/curve.hpp; where points have the same place there, by their indices. The
/// same for every number of ranks. Found by a sample sort (Frazer and McKellar 1970), in which no rank has more than
/// about its share of the points. Degrees; Error(invalid) where they are none.
Decomp *order_points_along_curve(const Decomp &points, std::span<const double> longitude,
                                 std::span<const double> latitude);

/// Throws Error(invalid) unless the decomposition is of points that have no order yet. Local.
void check_orderable(const Decomp &points);

}  // namespace sv
