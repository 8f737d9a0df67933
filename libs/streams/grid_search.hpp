// Finds boxes and stations on grids whose longitudes and latitudes are fields without time: curvilinear grids, with two
// axes, and lists of cells, with one. The results are numbers of cells, as if the configuration had given these.
#pragma once

#include "part_request.hpp"

namespace sv::streams {

/// The field without time that is a coordinate of `field` and has this name, or is in this direction (X or Y). nullptr:
/// there is none.
const Field *coordinate_called(const Field &field, const std::vector<Field> &fields, const std::string &name);

/// Collective. Returns the request with slices for its boxes and with cells for its stations, as far as they are on
/// such a grid. The box of a curvilinear grid is the smallest one of rows and columns with all cells that lie within
/// the given one. `io`: nullptr in a plan, which does not know the coordinates: it takes the whole grid. Throws
/// Failure(SV_ECONFIG), without a place.
PartRequest located(sv_context *io, const Field &field, const std::vector<Field> &fields, const PartRequest &request);

}  // namespace sv::streams
