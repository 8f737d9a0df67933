// Memory that the ranks of a node share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "mpi/comm.hpp"

namespace sv {

/// A mapping of zeroed memory, shared by the ranks of a communicator whose ranks are on one node. It is backed by a
/// memfd that the others open through /proc, so it has no name, needs no room in /dev/shm, and vanishes with the last
/// process. Its pages are made before any rank touches them: a lack of memory is then an error of the maker, and no
/// signal for a later access.
class SharedMemory {
 public:
  SharedMemory() = default;
  SharedMemory(SharedMemory &&other) noexcept;
  SharedMemory &operator=(SharedMemory &&other) noexcept;
  ~SharedMemory();

  /// Collective over `node`. After a failure on any rank, the result is empty on this rank, with the reason in `why`;
  /// the caller agrees over all ranks. Nothing is allocated unless half of the node's available memory suffices.
  static SharedMemory allocate(const Comm &node, int64_t bytes, std::string &why);
  /// The same, but only the pages of the first `made_bytes` exist: one rank must make the others before any rank
  /// touches them.
  static SharedMemory reserve(const Comm &node, int64_t bytes, int64_t made_bytes, std::string &why);
  /// The first half of `reserve`. Before the second, settle(), all ranks of `node` must have waited for each other in
  /// some collective call: until then, others have yet to open what the first of them has made.
  static SharedMemory begin(const Comm &node, int64_t bytes, int64_t made_bytes, std::string &why);
  void settle();
  /// For a rank alone: private memory, whose pages are always there. Empty where there is none.
  static SharedMemory private_memory(int64_t bytes);

  /// Local. Makes the pages from `begin` to `end`, existing ones stay; false, with the reason in `why`, if there is no
  /// memory for them.
  bool make(int64_t begin, int64_t end, std::string &why) const;
  /// Local. Maps pages that are there at once, instead of one after the other when they are touched; private ones are
  /// made by that, and stay as they are.
  void map_pages(int64_t begin, int64_t end) const;

  std::byte *data() const { return data_; }
  int64_t size() const { return bytes_; }
  explicit operator bool() const { return data_ != nullptr; }
  void release();
  /// Lets go of the mapping without unmapping it.
  void keep_for_good() { data_ = nullptr; }

 private:
  void forget_file();

  std::byte *data_ = nullptr;
  int64_t bytes_ = 0;
  bool is_private_ = false, is_made_ = false;
  int descriptor_ = -1;  // of the memfd, while there are pages to be made
};

}  // namespace sv
