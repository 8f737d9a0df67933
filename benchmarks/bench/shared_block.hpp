// Zeroed memory that all ranks share, where they are all on one node.
#pragma once

#include <mpi.h>
#include <pthread.h>

#include <cstddef>
#include <cstdint>

namespace sv_bench {

/// Whether all ranks are on one node. Collective.
bool on_one_node(MPI_Comm comm);

/// A memory file that rank 0 makes and the others map; needs no room in /dev/shm and vanishes with the processes.
class SharedBlock {
 public:
  /// Collective. Throws std::runtime_error on every rank.
  SharedBlock(MPI_Comm comm, int64_t bytes);
  ~SharedBlock();
  SharedBlock(const SharedBlock &) = delete;
  SharedBlock &operator=(const SharedBlock &) = delete;
  std::byte *data() const { return data_; }

 private:
  std::byte *data_ = nullptr;
  int64_t bytes_;
};

/// A barrier in which waiting ranks sleep, and leave the cores to those who work.
class SharedBarrier {
 public:
  /// Collective. Throws std::runtime_error on every rank.
  explicit SharedBarrier(MPI_Comm comm);
  void wait() const { pthread_barrier_wait(reinterpret_cast<pthread_barrier_t *>(memory_.data())); }

 private:
  SharedBlock memory_;
};

}  // namespace sv_bench
