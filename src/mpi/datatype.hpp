// Moves values between memory that an MPI datatype describes and contiguous memory. The C interface uses it where a
// model gives a datatype with its array. Local; the datatype is borrowed (MPI 3.1, chapter 4).
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "mpi/datatype_form.hpp"

namespace sv {

/// Local, all of it. Borrows the datatype.
class Datatype {
 public:
  /// Throws Error(type) for one that is not made of exactly one basic type that netCDF knows, Error(invalid) for
  /// MPI_DATATYPE_NULL.
  explicit Datatype(MPI_Datatype datatype);

  const DatatypeForm &form() const { return form_; }
  /// In one item.
  int64_t values() const { return form_.extents.size_bytes / size_of(form_.type); }
  /// Throws Error(invalid) for one that MPI does not know as committed. `comm`: one whose errors are returned.
  void check_committed(MPI_Comm comm) const;
  /// Throws Error(limit) for items of 2^31 bytes and more, which MPI cannot copy.
  void check_copyable() const;
  /// Copies the values of `items` items at `from`, which are copyable, to contiguous ones at `to`. `comm`: one whose
  /// errors are returned.
  void gather(const void *from, int64_t items, std::byte *to, MPI_Comm comm) const;
  /// The reverse; bytes between the values stay unchanged.
  void scatter(const std::byte *from, int64_t items, void *to, MPI_Comm comm) const;

 private:
  int64_t items_per_call() const;

  MPI_Datatype datatype_;
  DatatypeForm form_{Type::int8, {}, {}};
};

}  // namespace sv
