#include "mpi/datatype_contents.hpp"

#include "mpi/comm.hpp"

namespace sv {

bool is_predefined(int combiner) {
  return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_INTEGER ||
         combiner == MPI_COMBINER_F90_COMPLEX;
}

Contents::Contents(MPI_Datatype datatype) {
  int n = 0, n_addresses = 0, n_types = 0;
  check_mpi(MPI_Type_get_envelope(datatype, &n, &n_addresses, &n_types, &combiner), "MPI_Type_get_envelope");
  if (is_predefined(combiner)) return;
  numbers.resize(static_cast<size_t>(n));
  addresses.resize(static_cast<size_t>(n_addresses));
  types.resize(static_cast<size_t>(n_types), MPI_DATATYPE_NULL);
  check_mpi(MPI_Type_get_contents(datatype, n, n_addresses, n_types, numbers.data(), addresses.data(), types.data()),
            "MPI_Type_get_contents");
}

// Local; it returns no code, since no caller could pass it on.
Contents::~Contents() {
  for (MPI_Datatype &type : types) {
    int n = 0, n_addresses = 0, n_types = 0, made_by = MPI_COMBINER_NAMED;
    if (MPI_Type_get_envelope(type, &n, &n_addresses, &n_types, &made_by) != MPI_SUCCESS) continue;
    if (!is_predefined(made_by)) MPI_Type_free(&type);
  }
}

DatatypeExtents extents_of(MPI_Datatype datatype) {
  MPI_Count size = 0, low = 0, extent = 0;
  check_mpi(MPI_Type_size_x(datatype, &size), "MPI_Type_size_x");
  check_mpi(MPI_Type_get_extent_x(datatype, &low, &extent), "MPI_Type_get_extent_x");
  return {size, extent};
}

std::vector<Block> listed_blocks(const Contents &made, int64_t extent_bytes) {
  const bool one_length = made.combiner == MPI_COMBINER_INDEXED_BLOCK || made.combiner == MPI_COMBINER_HINDEXED_BLOCK;
  const bool in_elements = made.combiner == MPI_COMBINER_INDEXED || made.combiner == MPI_COMBINER_INDEXED_BLOCK;
  const auto n = static_cast<size_t>(made.numbers[0]);
  std::vector<Block> blocks;
  for (size_t i = 0; i < n; ++i)
    blocks.push_back({in_elements ? made.numbers[1 + i + (one_length ? 1 : n)] * extent_bytes : made.addresses[i],
                      made.numbers[one_length ? 1 : 1 + i], made.combiner == MPI_COMBINER_STRUCT ? i : 0});
  return blocks;
}

}  // namespace sv
