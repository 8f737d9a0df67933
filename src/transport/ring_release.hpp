// How blocks of a ring become free again.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>

#include "transport/bell.hpp"
#include "transport/ring.hpp"

namespace sv {

/// Frees the blocks of a ring in their order, whatever the order in which they are done with. Threads may share it.
class RingRelease {
 public:
  RingRelease(const Ring &ring, Bell &bell) : ring_(ring), bell_(bell) {}
  /// The next block, which ends at `end`; its number.
  int64_t expect(int64_t end);
  void done(int64_t number);
  /// Bytes of blocks that are not done with.
  int64_t held_bytes() const;

 private:
  struct Block {
    int64_t end;
    bool done;
  };
  Ring ring_;
  Bell &bell_;
  mutable std::mutex mutex_;
  std::deque<Block> blocks_;
  int64_t first_ = 0;  // number of the first of them
};

}  // namespace sv
