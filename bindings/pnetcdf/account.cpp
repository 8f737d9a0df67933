#include "account.hpp"

#include <array>

#include "../told.hpp"

namespace sv::pnetcdf {

void tell_taken(MPI_Comm comm, const std::string &path, const Account &account, int code) {
  if (list_of_files() == nullptr) return;
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  std::array<int64_t, 4> sums{account.puts, account.gets, account.put_bytes, account.got_bytes};
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : sums.data(), sums.data(), 4, MPI_INT64_T, MPI_SUM, 0, comm);
  if (rank != 0) return;
  sv::tell({"taken", std::to_string(ranks), std::to_string(sums[0]), std::to_string(sums[1]), std::to_string(sums[2]),
            std::to_string(sums[3]), std::to_string(MPI_Wtime() - account.opened), std::to_string(code), path,
            "PnetCDF", account.note});
}

void tell_left(MPI_Comm comm, const std::string &path, const std::string &reason) {
  if (list_of_files() == nullptr) return;
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  if (rank == 0) sv::tell({"left", std::to_string(ranks), reason, path, "PnetCDF"});
}

}  // namespace sv::pnetcdf
