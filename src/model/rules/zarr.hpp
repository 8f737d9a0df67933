// The limits of Zarr groups beyond those that they share with netCDF-4 (rules/netcdf4.hpp). Definitions ask here.
// Local; values.
#pragma once

#include "model/chunk_request.hpp"

namespace sv {

/// A shuffle that a program or a pattern asks for goes into the omissions where `of_file` is for Zarr and the
/// compressor is not in Blosc: no other codec that all readers of Zarr have shuffles. May be called again for the same
/// schema.
void omit_shuffle(Schema &schema, const ChunkRequest &of_file);

}  // namespace sv
