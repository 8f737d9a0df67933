// The ranks of a run by node: those of one node share memory, and the first rank of each sends what the node has to
// send. Exchanges of cells use it. Collective, where nothing else is said.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sverdrup/sverdrup.h"

namespace sv::streams {

/// Of a communicator that is freed with it.
struct FreeComm {
  void operator()(MPI_Comm *comm) const;
};
using OwnedComm = std::unique_ptr<MPI_Comm, FreeComm>;

class NodeGroup {
 public:
  explicit NodeGroup(sv_context *io);

  /// Local. The nodes are numbered by their first ranks.
  size_t nodes() const { return nodes_; }
  size_t node() const { return of_rank_[rank_]; }
  size_t node_of(size_t rank) const { return of_rank_[rank]; }
  bool is_first() const { return first_ranks_ != nullptr; }
  MPI_Comm ranks() const { return *ranks_; }
  /// Of the first rank of each node, on which only these may call this.
  MPI_Comm first_ranks() const { return *first_ranks_; }

  /// Of the ranks of this node. Numbers by node become their sums over the ranks of this node; returns the sums over
  /// the ranks before this one.
  std::vector<int64_t> add_up(std::vector<int64_t> &numbers) const;
  /// Each node gives each other node a number. `numbers`: those that this node gives; returns those that it gets.
  std::vector<int64_t> swapped(const std::vector<int64_t> &numbers) const;

 private:
  size_t rank_ = 0, nodes_ = 0;
  std::vector<size_t> of_rank_;
  OwnedComm ranks_, first_ranks_;
};

/// Memory that the ranks of a node share.
class SharedRoom {
 public:
  /// Collective in the node.
  SharedRoom(const NodeGroup &nodes, size_t bytes);

  std::byte *data() const { return data_; }
  size_t bytes() const { return bytes_; }
  /// Collective in the node. All ranks see what each has written.
  void meet() const;

 private:
  struct FreeWindow {
    void operator()(MPI_Win *window) const;
  };
  MPI_Comm ranks_;
  size_t bytes_;
  std::unique_ptr<MPI_Win, FreeWindow> window_;
  std::byte *data_ = nullptr;
};

}  // namespace sv::streams
