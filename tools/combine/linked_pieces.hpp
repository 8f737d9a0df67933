// The pieces of a set whose name a single file has, too, under a name that no file has: a folder of links. The library
// opens a single file before it looks for pieces, so sv-combine --force reads them there.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace sv_combine {

class LinkedPieces {
 public:
  /// Collective. Makes a new folder next to the pieces, named SET.pieces.XXXXXX. Throws std::runtime_error on all
  /// ranks.
  LinkedPieces(MPI_Comm comm, const std::string &set);
  /// Local. Rank 0 removes the links and the folder that it has made, and nothing else.
  ~LinkedPieces();
  LinkedPieces(const LinkedPieces &) = delete;
  LinkedPieces &operator=(const LinkedPieces &) = delete;

  /// The name of the set, without a number.
  const std::string &set() const { return set_; }

 private:
  void link_all(const std::string &set);
  void remove_all() const;
  std::string folder_, set_;
  std::vector<std::string> links_;  // on rank 0
};

}  // namespace sv_combine
