#include "node_group.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "failure.hpp"
#include "sharing.hpp"

namespace sv::streams {

namespace {

/// The ranks of this rank's node. SV_TESTING_RANKS_PER_NODE divides the ranks into nodes of so many, for tests.
MPI_Comm ranks_of_node(sv_context *io, int rank) {
  MPI_Comm model = MPI_COMM_NULL, made = MPI_COMM_NULL;
  must(sv_model_comm(io, &model));
  const char *const number = std::getenv("SV_TESTING_RANKS_PER_NODE");
  const int ranks_per_node = number == nullptr ? 0 : std::atoi(number);
  if (ranks_per_node > 0)
    must_mpi(MPI_Comm_split(model, rank / ranks_per_node, rank, &made), "MPI_Comm_split");
  else
    must_mpi(MPI_Comm_split_type(model, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &made), "MPI_Comm_split_type");
  return made;
}

}  // namespace

void FreeComm::operator()(MPI_Comm *comm) const {
  MPI_Comm_free(comm);
  delete comm;
}

NodeGroup::NodeGroup(sv_context *io) : rank_(static_cast<size_t>(rank_and_ranks(io).first)) {
  const auto rank = static_cast<int>(rank_);
  ranks_.reset(new MPI_Comm{ranks_of_node(io, rank)});
  int in_node = 0;
  must_mpi(MPI_Comm_rank(*ranks_, &in_node), "MPI_Comm_rank");
  MPI_Comm model = MPI_COMM_NULL, made = MPI_COMM_NULL;
  must(sv_model_comm(io, &model));
  must_mpi(MPI_Comm_split(model, in_node == 0 ? 0 : MPI_UNDEFINED, rank, &made), "MPI_Comm_split");
  if (made != MPI_COMM_NULL) first_ranks_.reset(new MPI_Comm{made});
  int first = rank;
  must_mpi(MPI_Bcast(&first, 1, MPI_INT, 0, *ranks_), "MPI_Bcast");
  const std::vector<int64_t> firsts = joined(io, std::vector<int64_t>{first});
  std::vector<int64_t> numbers = firsts;
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  nodes_ = numbers.size();
  for (const int64_t each : firsts)
    of_rank_.push_back(static_cast<size_t>(std::lower_bound(numbers.begin(), numbers.end(), each) - numbers.begin()));
}

std::vector<int64_t> NodeGroup::add_up(std::vector<int64_t> &numbers) const {
  std::vector<int64_t> sums = numbers;
  const auto length = static_cast<int>(numbers.size());
  must_mpi(MPI_Scan(numbers.data(), sums.data(), length, MPI_INT64_T, MPI_SUM, *ranks_), "MPI_Scan");
  std::transform(sums.begin(), sums.end(), numbers.begin(), sums.begin(), std::minus<>());
  must_mpi(MPI_Allreduce(MPI_IN_PLACE, numbers.data(), length, MPI_INT64_T, MPI_SUM, *ranks_), "MPI_Allreduce");
  return sums;
}

std::vector<int64_t> NodeGroup::swapped(const std::vector<int64_t> &numbers) const {
  std::vector<int64_t> made(numbers.size());
  if (is_first())
    must_mpi(MPI_Alltoall(numbers.data(), 1, MPI_INT64_T, made.data(), 1, MPI_INT64_T, *first_ranks_), "MPI_Alltoall");
  must_mpi(MPI_Bcast(made.data(), static_cast<int>(made.size()), MPI_INT64_T, 0, *ranks_), "MPI_Bcast");
  return made;
}

void SharedRoom::FreeWindow::operator()(MPI_Win *window) const {
  MPI_Win_unlock_all(*window);
  MPI_Win_free(window);
  delete window;
}

/// The first rank has all of it, so that it is in one piece.
SharedRoom::SharedRoom(const NodeGroup &nodes, size_t bytes) : ranks_(nodes.ranks()), bytes_(bytes) {
  MPI_Win made = MPI_WIN_NULL;
  void *own = nullptr;
  must_mpi(MPI_Win_allocate_shared(static_cast<MPI_Aint>(nodes.is_first() ? bytes + 1 : 0), 1, MPI_INFO_NULL, ranks_,
                                   &own, &made),
           "MPI_Win_allocate_shared");
  MPI_Aint size = 0;
  int unit = 0;
  must_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, made), "MPI_Win_lock_all");
  window_.reset(new MPI_Win{made});
  must_mpi(MPI_Win_shared_query(made, 0, &size, &unit, static_cast<void *>(&data_)), "MPI_Win_shared_query");
}

void SharedRoom::meet() const {
  must_mpi(MPI_Win_sync(*window_), "MPI_Win_sync");
  must_mpi(MPI_Barrier(ranks_), "MPI_Barrier");
  must_mpi(MPI_Win_sync(*window_), "MPI_Win_sync");
}

}  // namespace sv::streams
