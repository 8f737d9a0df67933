// Memory for values that wait to be written, in blocks that are used again: fresh pages cost more than the copy into
// them. One supply for all files of the process; batches take from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/mutex.hpp"

namespace sv {

constexpr int64_t block_bytes = 256 << 10;
using Block = std::shared_ptr<std::byte[]>;  // of one owner at a time; several may be parts of one allocation

class Blocks {
 public:
  /// The process's. Never destroyed: files may be closed when the process ends.
  static Blocks &own();

  /// The block that was given back last, or a new one.
  Block take();
  /// Blocks beyond `most_kept` go back to the system.
  void give_back(std::vector<Block> blocks) noexcept;

 private:
  Block made() SV_REQUIRES(mutex_);

  static constexpr size_t most_kept = 512;
  Mutex mutex_;
  std::vector<Block> free_ SV_GUARDED_BY(mutex_);
  int64_t single_ SV_GUARDED_BY(mutex_) = 0;  // that were made one by one
};

}  // namespace sv
