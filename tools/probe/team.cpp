#include "team.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

#include "support/program.hpp"

namespace sv_probe {

namespace {

int reduced(int value, MPI_Op op, MPI_Comm comm) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, op, comm);
  return value;
}

// A rank may be bound to some of them: those of all ranks of the host together.
int cores_of(MPI_Comm host) {
  cpu_set_t mine;
  CPU_ZERO(&mine);
  if (sched_getaffinity(0, sizeof mine, &mine) != 0) return static_cast<int>(std::thread::hardware_concurrency());
  MPI_Allreduce(MPI_IN_PLACE, &mine, sizeof mine, MPI_BYTE, MPI_BOR, host);
  return CPU_COUNT(&mine);
}

}  // namespace

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

Team::Team(MPI_Comm comm, int ranks_per_node) {
  int before = 0;
  MPI_Comm_rank(comm, &before);
  if (ranks_per_node > 0) MPI_Comm_split(comm, before / ranks_per_node, before, &node_);
  if (ranks_per_node == 0) MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, before, MPI_INFO_NULL, &node_);
  const int node = reduced(before, MPI_MIN, node_);  // named after its first rank
  MPI_Comm_split(comm, 0, node, &comm_);
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
  nodes_ = reduced(node == before ? 1 : 0, MPI_SUM, comm_);
  on_first_node_ = reduced(node == 0 ? 1 : 0, MPI_SUM, comm_);
  MPI_Comm host = MPI_COMM_NULL;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, before, MPI_INFO_NULL, &host);
  const int nodes_here = reduced(node == before ? 1 : 0, MPI_SUM, host);  // pretended ones share the cores of a host
  cores_ = std::max(reduced(cores_of(host) / std::max(nodes_here, 1), MPI_MIN, comm_), 1);
  MPI_Comm_free(&host);
  int partner = node;
  MPI_Bcast(&partner, 1, MPI_INT, size_ > 1 ? rank_of(1, {2}) : 0, comm_);
  pair_crosses_ = partner != 0;
}

Team::~Team() {
  for (auto &[part, comm] : parts_)
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  MPI_Comm_free(&node_);
  MPI_Comm_free(&comm_);
}

std::vector<int> Team::counts() const {
  std::vector<int> counts;
  for (int n = 1; n < size_; n *= 2) counts.push_back(n);
  counts.push_back(size_);
  return counts;
}

int Team::place(Part part) const {
  if (part.first) return rank_ < part.n ? rank_ : -1;
  const int n = part.n;
  const auto place = static_cast<int>((static_cast<int64_t>(rank_) * n + size_ - 1) / size_);
  return place < n && rank_of(place, part) == rank_ ? place : -1;
}

MPI_Comm Team::of(Part part) {
  const auto [found, fresh] = parts_.try_emplace(part, MPI_COMM_NULL);
  if (fresh) MPI_Comm_split(comm_, place(part) >= 0 ? 0 : MPI_UNDEFINED, rank_, &found->second);
  return found->second;
}

void Team::wait() const {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(comm_, &request);
  constexpr std::chrono::microseconds longest_sleep(1000);
  std::chrono::microseconds sleep(20);
  for (int done = 0;;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return;
    std::this_thread::sleep_for(sleep);
    sleep = std::min(2 * sleep, longest_sleep);
  }
}

Seconds Team::time(Part part, const std::function<void(int)> &work) {
  const MPI_Comm comm = of(part);
  const int own_place = place(part);
  std::array<double, 3> times{-1e300, -1e300, 0};  // minus the begin, the end, the duration
  std::string cause;
  wait();
  if (own_place >= 0) {
    MPI_Barrier(comm);
    const double begin = now();
    try {
      work(own_place);
    } catch (const std::exception &error) {
      cause = error.what();
    }
    const double end = now();
    times = {-begin, end, end - begin};
  }
  wait();
  sv_tools::together(comm_, [&cause] {
    if (!cause.empty()) throw std::runtime_error(cause);
  });
  MPI_Allreduce(MPI_IN_PLACE, times.data(), 3, MPI_DOUBLE, MPI_MAX, comm_);
  return {nodes_ == 1 ? times[0] + times[1] : times[2], times[2]};
}

}  // namespace sv_probe
