#include "pieces.hpp"

#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "support/names.hpp"
#include "support/program.hpp"

namespace sv_combine {

bool is_netcdf4(const std::string &set) {
  std::ifstream piece(sv_tools::piece_path(set, 0), std::ios::binary);
  std::array<char, 4> magic{};
  return piece.read(magic.data(), magic.size()) && std::string(magic.data(), magic.size()) == "\x89HDF";
}

void link_pieces(MPI_Comm comm, const std::string &set, const std::string &copy) {
  sv_tools::together(comm, [&] {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    if (rank != 0) return;
    const size_t pieces = sv_tools::found_pieces(set).size();
    for (size_t piece = 0; piece < pieces; ++piece) {
      const std::string file = sv_tools::piece_path(set, static_cast<int>(piece));
      std::filesystem::create_symlink(std::filesystem::path(file).filename(),
                                      sv_tools::piece_path(copy, static_cast<int>(piece)));
    }
  });
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
