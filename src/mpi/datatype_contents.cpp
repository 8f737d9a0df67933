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

// Local; a code that it returned could be told to nobody.
Contents::~Contents() {
  for (MPI_Datatype &type : types) {
    int n = 0, n_addresses = 0, n_types = 0, made_by = MPI_COMBINER_NAMED;
    if (MPI_Type_get_envelope(type, &n, &n_addresses, &n_types, &made_by) != MPI_SUCCESS) continue;
    if (!is_predefined(made_by)) MPI_Type_free(&type);
  }
}

}  // namespace sv
