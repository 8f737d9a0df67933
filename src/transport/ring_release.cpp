#include "transport/ring_release.hpp"

namespace sv {

RingRelease::RingRelease(const Ring &ring, EventCount &bell, int64_t made_bytes)
    : ring_(ring), bell_(bell), made_bytes_(made_bytes) {
  ring_.freed->store(made_bytes_ - ring_.capacity, std::memory_order_release);
}

/// A first lap ends where its pages do.
void RingRelease::announce() {
  const int64_t free = made_bytes_ < ring_.capacity ? made_bytes_ - ring_.capacity : released_;
  ring_.freed->store(free, std::memory_order_release);
  bell_.ring();
}

void RingRelease::made(int64_t bytes) {
  const MutexLock lock(mutex_);
  made_bytes_ = bytes;
  announce();
}

int64_t RingRelease::expect(int64_t end) {
  const MutexLock lock(mutex_);
  blocks_.push_back({end, false});
  return first_ + std::ssize(blocks_) - 1;
}

void RingRelease::done(int64_t number) {
  const MutexLock lock(mutex_);
  blocks_[static_cast<size_t>(number - first_)].done = true;
  if (!blocks_.front().done) return;
  for (; !blocks_.empty() && blocks_.front().done; ++first_) {
    released_ = blocks_.front().end;
    blocks_.pop_front();
  }
  announce();
}

int64_t RingRelease::held_bytes() const {
  const MutexLock lock(mutex_);
  return blocks_.empty() ? 0 : blocks_.back().end - released_;
}

}  // namespace sv
