// The ranks of the job, node after node, and how pieces of work on some of them are timed.
#pragma once

#include <mpi.h>

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace sv_probe {

/// Seconds of a clock that the processes of a node share.
double now();

struct Seconds {
  double wall = 0;     // from the first that began to the last that was done (of several nodes: like `longest`)
  double longest = 0;  // of one rank
};

/// Some of the ranks: `n` spread evenly over all, or the first `n`, which are of one node as far as it has so many.
struct Part {
  int n = 1;
  bool first = false;
  auto operator<=>(const Part &) const = default;
};

/// Owns communicators: must be gone before MPI_Finalize. All members are collective except simple inquiries.
class Team {
 public:
  /// Ranks are numbered anew, those of a node one after another; rank 0 stays. `ranks_per_node` pretends that so many
  /// share a node, so that pretended nodes of a host divide its cores; 0: as MPI reports.
  Team(MPI_Comm comm, int ranks_per_node);
  ~Team();
  Team(const Team &) = delete;
  Team &operator=(const Team &) = delete;

  MPI_Comm comm() const { return comm_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  int nodes() const { return nodes_; }
  int ranks_on_first_node() const { return on_first_node_; }
  /// That the ranks of this node may use together, the least of all nodes.
  int cores_per_node() const { return cores_; }
  /// 1, 2, 4 ... and all.
  std::vector<int> counts() const;

  /// The place of this rank in the part, -1: it is not in it. Of 2 that are spread the second is on another node, where
  /// there is one (pair_crosses_nodes).
  int place(Part part) const;
  int rank_of(int place, Part part) const {
    return part.first ? place : static_cast<int>(static_cast<int64_t>(place) * size_ / part.n);
  }
  /// Of the part's ranks; MPI_COMM_NULL on others. Owned by the team.
  MPI_Comm of(Part part);
  bool pair_crosses_nodes() const { return pair_crosses_; }

  /// Returns when all have come. A waiting rank leaves the cores to the others.
  void wait() const;
  /// `work(place)` on the part's ranks, which begin together, while the others wait. Throws std::runtime_error on all
  /// ranks where it fails on one. Equal on all ranks.
  Seconds time(Part part, const std::function<void(int)> &work);

 private:
  MPI_Comm comm_ = MPI_COMM_NULL, node_ = MPI_COMM_NULL;
  std::map<Part, MPI_Comm> parts_;
  int rank_ = 0, size_ = 1, nodes_ = 1, on_first_node_ = 1, cores_ = 1;
  bool pair_crosses_ = false;
};

}  // namespace sv_probe
