// Converts values from one type to another as netCDF does: the caller learns whether all fit; a value that does not
// fit keeps its lowest bits. (The engine's own conversions, in base/convert.hpp, keep the nearest value instead.)
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/type.hpp"
#include "codes.hpp"

namespace sv::netcdf {

/// From native values `from_stride` bytes apart to contiguous ones of a file. Returns whether all fit.
using ToFile = bool (*)(const std::byte *from, int64_t from_stride, std::byte *to, int64_t count);
/// From contiguous values of a file to native ones `to_stride` bytes apart.
using FromFile = bool (*)(const std::byte *from, std::byte *to, int64_t to_stride, int64_t count);

/// Both types are numbers, or both text.
ToFile to_file(Type memory, Type file);
FromFile from_file(Type file, Type memory);

/// The type in memory of a call, for values of type `stored`; NC_NAT: the same. Throws NC_ECHAR where text meets
/// numbers, and NC_EBADTYPE for types that no classic file has.
Type memory_type(nc_type asked, Type stored);
/// Formats without unsigned bytes keep those in bytes as they are.
Type type_in_file(Type stored, Type memory, bool is_cdf5);

}  // namespace sv::netcdf
