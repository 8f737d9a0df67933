// Memory that the ranks of a node share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "mpi/comm.hpp"

namespace sv {

/// A mapping of zeroed memory, shared by the ranks of a communicator whose ranks are on one node. It is backed by a
/// memfd that the others open through /proc, so it has no name, needs no room in /dev/shm, and goes with the last
/// process however it ends.
class SharedMemory {
 public:
  SharedMemory() = default;
  SharedMemory(SharedMemory &&other) noexcept;
  SharedMemory &operator=(SharedMemory &&other) noexcept;
  ~SharedMemory();

  /// Collective over `node`. On failure, on any rank, `why` tells and the result is empty on this rank; the caller
  /// agrees over all ranks. Nothing is allocated unless half of the node's available memory suffices.
  static SharedMemory allocate(const Comm &node, int64_t bytes, std::string &why);
  /// For a rank alone: private memory. Empty where there is none.
  static SharedMemory private_memory(int64_t bytes);

  std::byte *data() const { return data_; }
  int64_t size() const { return bytes_; }
  explicit operator bool() const { return data_ != nullptr; }
  void release();
  /// Lets go of the mapping without unmapping it.
  void keep_for_good() { data_ = nullptr; }

 private:
  std::byte *data_ = nullptr;
  int64_t bytes_ = 0;
};

}  // namespace sv
