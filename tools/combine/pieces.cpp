#include "pieces.hpp"

#include <unistd.h>

#include <array>
#include <fstream>

#include "support/names.hpp"

namespace sv_combine {

bool is_netcdf4(const std::string &set) {
  std::ifstream piece(sv_tools::piece_path(set, 0), std::ios::binary);
  std::array<char, 4> magic{};
  return piece.read(magic.data(), magic.size()) && std::string(magic.data(), magic.size()) == "\x89HDF";
}

void remove_pieces(MPI_Comm comm, const std::string &copy) {
  MPI_Barrier(comm);
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0)
    for (int piece = 0, missing = 0; missing < 64; ++piece)  // where copying failed, some in between are not there
      missing = unlink(sv_tools::piece_path(copy, piece).c_str()) == 0 ? 0 : missing + 1;
  MPI_Barrier(comm);
}

}  // namespace sv_combine
