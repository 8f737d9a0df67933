// Where the values of an MPI datatype are, for callers that use one to describe a file (MPI 3.1, section 13.3) or that
// cannot have MPI copy them. It takes the datatype apart without moving any data.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace sv {

struct TypeRun {
  int64_t offset_bytes, length_bytes;  // from the address of the item
};

/// Local. Those of one item, in the order of its values; neighbours that follow each other are one run. Throws
/// Error(type) for a datatype that is made in a way that MPI 3.1 does not have.
std::vector<TypeRun> runs_of(MPI_Datatype datatype);

}  // namespace sv
