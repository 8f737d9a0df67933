// How blocks of a ring become free again, and where its memory is made piece by piece, for the first time.
#pragma once

#include <cstdint>
#include <deque>

#include "base/mutex.hpp"
#include "transport/event_count.hpp"
#include "transport/ring.hpp"

namespace sv {

/// Frees the blocks of a ring in their order, for any order in which they are finished. Threads may share it. Parts
/// without pages count as not yet free: a wait for room includes them.
class RingRelease {
 public:
  /// `made_bytes`: from the ring's beginning, what may be touched.
  RingRelease(const Ring &ring, EventCount &bell, int64_t made_bytes);
  /// The same of a ring that is all there.
  RingRelease(const Ring &ring, EventCount &bell) : RingRelease(ring, bell, ring.capacity) {}
  /// So much of the ring may be touched now; it only grows.
  void made(int64_t bytes);
  /// The next block, which ends at `end`; its number.
  int64_t expect(int64_t end);
  void done(int64_t number);
  /// Bytes of blocks that are not done with.
  int64_t held_bytes() const;

 private:
  void announce() SV_REQUIRES(mutex_);

  struct Block {
    int64_t end;
    bool done;
  };
  Ring ring_;
  EventCount &bell_;
  mutable Mutex mutex_;
  std::deque<Block> blocks_ SV_GUARDED_BY(mutex_);
  int64_t first_ SV_GUARDED_BY(mutex_) = 0;     // number of the first of them
  int64_t released_ SV_GUARDED_BY(mutex_) = 0;  // the end of the last that was freed
  int64_t made_bytes_ SV_GUARDED_BY(mutex_);
};

}  // namespace sv
