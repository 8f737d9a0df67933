#include "linked_pieces.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "support/names.hpp"
#include "support/program.hpp"

namespace sv_combine {

namespace fs = std::filesystem;

LinkedPieces::LinkedPieces(MPI_Comm comm, const std::string &set) : folder_(set + ".pieces.XXXXXX") {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  sv_tools::together(comm, [&] {
    if (rank == 0) link_all(set);
  });
  MPI_Bcast(folder_.data(), static_cast<int>(folder_.size()), MPI_CHAR, 0, comm);
  set_ = folder_ + '/' + fs::path(set).filename().string();
}

void LinkedPieces::link_all(const std::string &set) {
  if (mkdtemp(folder_.data()) == nullptr)
    throw std::runtime_error("'" + set + ".pieces.XXXXXX' cannot be made: " + std::strerror(errno) +
                             ". Give OUT another name than IN, or free space in the directory of IN");
  try {
    for (const std::string &piece : sv_tools::found_pieces(set)) {
      links_.push_back(folder_ + '/' + fs::path(piece).filename().string());
      fs::create_symlink(fs::absolute(piece), links_.back());
    }
  } catch (...) {
    remove_all();
    throw;
  }
}

void LinkedPieces::remove_all() const {
  for (const std::string &link : links_) unlink(link.c_str());
  rmdir(folder_.c_str());
}

LinkedPieces::~LinkedPieces() {
  if (!links_.empty()) remove_all();
}

}  // namespace sv_combine
