// How an MPI datatype was made (MPI 3.1, section 4.1.13): for the functions that take one apart.
#pragma once

#include <mpi.h>

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

}  // namespace sv
