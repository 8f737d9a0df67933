// The ranks that have a file open together, as the stores see them: this rank alone, or the ranks of a communicator
// (mpi_peers.hpp). Stores call them; they know nothing of files. Every rank makes the collective calls in one order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/error.hpp"

namespace sv {

/// One rank alone: it waits for no other and makes no MPI calls, so that a thread may be that rank.
class Peers {
 public:
  Peers() = default;
  virtual ~Peers() = default;
  Peers(const Peers &) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool is_owner() const { return rank_ == 0; }
  bool alone() const { return size_ == 1; }

  /// Collective. Runs `local` here; where it throws on some rank, all throw the lowest such rank's error.
  void together(const std::function<void()> &local);
  /// Collective. The largest of the numbers; 0 where one of them is negative.
  int64_t most(int64_t mine) { return alone() ? std::max<int64_t>(mine, 0) : largest(mine); }
  /// Collective. The owner's numbers, on all ranks.
  virtual void broadcast(std::vector<int64_t> &) {}
  /// Does not wait. Messages between two ranks with one tag (below 32768) arrive in order.
  virtual void send(int, int, std::vector<int64_t>) {}
  /// Waits for the next message of rank `from` with this tag.
  virtual std::vector<int64_t> receive(int, int) { return {}; }

 protected:
  Peers(int rank, int size) : rank_(rank), size_(size) {}

 private:
  /// Collective. Throws the lowest failed rank's error on all ranks; returns where no rank has failed.
  virtual void agree(const std::optional<Error> &) {}
  virtual int64_t largest(int64_t mine) { return mine; }

  const int rank_ = 0, size_ = 1;
};

}  // namespace sv
