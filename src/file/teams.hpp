// Communicators of the ranks that have files open together (docs/adr/0017-stores-over-libraries.md).
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <vector>

#include "mpi/comm.hpp"

namespace sv {

/// They are made once for equal ranks; of many, those asked for last are kept for the next file.
class Teams {
 public:
  explicit Teams(size_t most = 16) : most_(most) {}

  /// Collective over `all`, with equal `ranks`, which ascend. Returns their communicator; on other ranks one that
  /// cannot be used. Holding it keeps it from being freed.
  std::shared_ptr<const Comm> of(const std::vector<int> &ranks, const Comm &all);
  /// Collective. Also those that somebody holds.
  void free();

 private:
  void free_unused();

  struct Team {
    std::vector<int> ranks;
    std::shared_ptr<Comm> comm;
  };
  size_t most_;
  std::list<Team> teams_;                       // the one asked for last is the first
  std::vector<std::shared_ptr<Comm>> leaving_;  // no longer among them, but perhaps held
};

}  // namespace sv
