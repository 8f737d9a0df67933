// Where netCDF-C puts the variables of a CDF file, so that a file made by the same calls has the same bytes: without
// reserve and in the order of definition, unless alignments and room are asked for (the four numbers of nc__enddef);
// and when a file is defined again, nothing moves towards its beginning.
#pragma once

#include <cstdint>

#include "store/cdf_places.hpp"

namespace sv {

struct NetcdfRoom {
  int64_t header_free = 0;   // bytes after the header
  int64_t data_align = 1;    // of the first variable
  int64_t fixed_free = 0;    // bytes after the fixed variables
  int64_t record_align = 1;  // of record 0
};

/// Sets schema.places. `before`: the places of the file so far, whose variables are the first ones of `schema`; nullptr
/// for a new file. Throws Error(limit) for a schema that the format cannot hold.
void place_like_netcdf(PlacedSchema &schema, const PlacedSchema *before, const NetcdfRoom &room);

}  // namespace sv
