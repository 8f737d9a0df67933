#include "pieces.hpp"

#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>

namespace sv_combine {

bool is_netcdf4(const std::string &set) {
  if (!std::filesystem::is_regular_file(piece_path(set, 0))) return false;
  std::ifstream piece(piece_path(set, 0), std::ios::binary);
  std::array<char, 4> magic{};
  return piece.read(magic.data(), magic.size()) && std::string(magic.data(), magic.size()) == "\x89HDF";
}

void remove_pieces(MPI_Comm comm, const std::string &copy) {
  MPI_Barrier(comm);
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0)
    for (int piece = 0, missing = 0; missing < 64; ++piece)  // where copying failed, some in between are not there
      missing = unlink(piece_path(copy, piece).c_str()) == 0 ? 0 : missing + 1;
  MPI_Barrier(comm);
}

double bytes_of_pieces(const std::string &set) {
  double bytes = 0;
  std::error_code none;
  for (int piece = 0;; ++piece) {
    const auto size = std::filesystem::file_size(piece_path(set, piece), none);
    if (none) return bytes;
    bytes += static_cast<double>(size);
  }
}

std::string piece_path(const std::string &set, int piece) {
  const std::string digits = std::to_string(piece);
  return set + "." + std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') + digits;
}

}  // namespace sv_combine
