// The limits of netCDF's classic data model: one unlimited dimension, the record dimension, which is the first of
// each variable that has it; and those of the formats CDF-1, CDF-2 and CDF-5, and of netCDF-4 files that keep to this
// model ("The NetCDF Classic Format Specification", Unidata; "CDF-5 File Format Specification", PnetCDF). The
// definitions of a file, the decoder of headers and the placing of variables ask here; no other unit knows these rules.
// Local; values.
#pragma once

#include <optional>
#include <span>

#include "base/error.hpp"
#include "model/schema.hpp"

namespace sv::classic {

/// Whether files of this format keep to the classic model. The format that is chosen for `automatic` does.
constexpr bool governs(Format format) { return format != Format::netcdf4 && format != Format::zarr; }

/// Throws Error(define) where the dimension would be a second record dimension of the schema.
void check_dimension(const Schema &schema, const Dimension &added);
/// Throws Error(define) where the record dimension is not the first one of a variable.
void check_axes(const Schema &schema, std::span<const int> dims);
/// Throws Error(define), with the name of the variable, for the first breach of either rule.
void check_dimensions(const Schema &schema);

/// Throws Error(type) for a variable of strings.
void check_type(Type type);
/// The same of all variables, with their names; and Error(define) for an attribute of strings.
void check_types(const Schema &schema);

/// How much space variables take.
struct Sizes {
  std::span<const int64_t> slab_bytes;  // of each variable, or of one record of it, padded
  int64_t record_bytes;                 // of a record of all variables
};
/// The smallest format that holds the schema and that every tool reads: CDF-2, or CDF-5.
Format smallest_format(const Schema &schema, const Sizes &sizes);
/// Throws Error(limit) for the first limit of the schema's format that the schema exceeds.
void check_limits(const Schema &schema, const Sizes &sizes);
/// Throws Error(limit) where the variable begins at a byte that the format cannot express.
void check_begin(Format format, const Variable &variable, int64_t begin);
/// The largest record count that the format can express.
int64_t most_records(Format format);

}  // namespace sv::classic
