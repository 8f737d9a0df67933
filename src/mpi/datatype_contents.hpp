// How an MPI datatype was made (MPI 3.1, section 4.1.13): for the functions that take one apart.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sv {

/// Whether a combiner is that of a basic type.
bool is_predefined(int combiner);

/// Local. Owns the datatypes that MPI hands out with it.
class Contents {
 public:
  explicit Contents(MPI_Datatype datatype);
  Contents(const Contents &) = delete;
  ~Contents();

  int combiner = MPI_COMBINER_NAMED;
  std::vector<int> numbers;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Datatype> types;
};

struct DatatypeExtents {
  int64_t size_bytes = 0, extent_bytes = 0;  // of an item: its values alone; with its holes
};
DatatypeExtents extents_of(MPI_Datatype datatype);

/// `count` items of one of the datatypes that a datatype is made of.
struct Block {
  int64_t offset_bytes, count;
  size_t part;
};
/// Of one that lists its blocks (indexed ones, and structures), in the order of the values. `extent_bytes`: of its
/// first part.
std::vector<Block> listed_blocks(const Contents &made, int64_t extent_bytes);

}  // namespace sv
