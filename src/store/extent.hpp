// Sizes of slabs and files. Internal to the stores.
#pragma once

#include <cstdint>

#include "store/schema.hpp"

namespace sv {

/// Bytes of the variable, or of one of its records, without padding. Error(limit) when that is no int64.
int64_t slab_size(const Schema &schema, const Variable &variable);

/// Sets has_records, slab_bytes and record_bytes from the shapes. Slabs are padded to 4 bytes, but for the one special
/// case of the format: the records of a file's only record variable follow each other without padding.
void set_slab_sizes(Schema &schema);

/// Where the data of a file with `records` records end: its final length.
int64_t end_of_data(const Schema &schema, int64_t records);

}  // namespace sv
