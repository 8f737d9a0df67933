// How much memory all ranks together take: the sum of their proportional set sizes, sampled while they work.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <thread>

#include "shared_block.hpp"

namespace sv_bench {

/// This process's PSS: its own pages, and its share of pages that several processes map. Throws std::runtime_error.
int64_t pss_bytes();

class MemoryWatch {
 public:
  /// Collective; all ranks on one node. Starts a thread per rank that looks every few milliseconds and calls no MPI.
  explicit MemoryWatch(MPI_Comm comm);
  ~MemoryWatch();
  MemoryWatch(const MemoryWatch &) = delete;
  MemoryWatch &operator=(const MemoryWatch &) = delete;

  /// Collective. From now on counts the memory beyond the present state.
  void begin();
  /// Collective. The largest sum over all ranks since then, and that of begin(); the same on all ranks.
  int64_t peak_bytes_beyond();
  int64_t baseline_bytes() const { return baseline_; }

 private:
  void look();
  int64_t sum_of_ranks() const;
  std::atomic<int64_t> *samples() const { return reinterpret_cast<std::atomic<int64_t> *>(shared_.data()); }
  std::atomic<int64_t> &peak() const { return samples()[ranks_]; }

  MPI_Comm comm_;
  int rank_ = 0, ranks_ = 1;
  SharedBlock shared_;  // a sample per rank, and the peak of their sum
  int64_t baseline_ = 0;
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

}  // namespace sv_bench
