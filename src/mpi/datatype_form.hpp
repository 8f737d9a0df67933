// The contents of an MPI datatype: the one basic type of its values, and whether they are contiguous in memory. It
// decodes the datatype without moving any data (MPI 3.1, section 4.1).
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>

#include "base/error.hpp"
#include "base/type.hpp"
#include "mpi/datatype_contents.hpp"

namespace sv {

struct DatatypeForm {
  Type type;  // of every value
  DatatypeExtents extents;
  /// If the values of an item are contiguous in memory, in order and without holes: the distance in bytes of the first
  /// from the address of the item. Also nothing for types that are not decoded (darray).
  std::optional<int64_t> row_begin;
  /// Whether those of several items do.
  bool is_row(int64_t items) const { return row_begin && (items <= 1 || extents.extent_bytes == extents.size_bytes); }
};

/// Of one that is made of several basic types.
class SeveralTypes : public Error {
 public:
  using Error::Error;
};

/// Local. Throws Error(type) for a datatype that is not made of exactly one basic type that netCDF knows.
DatatypeForm form_of(MPI_Datatype datatype);

}  // namespace sv
