#include "transport/ring_release.hpp"

namespace sv {

int64_t RingRelease::expect(int64_t end) {
  const std::scoped_lock lock(mutex_);
  blocks_.push_back({end, false});
  return first_ + std::ssize(blocks_) - 1;
}

void RingRelease::done(int64_t number) {
  const std::scoped_lock lock(mutex_);
  blocks_[static_cast<size_t>(number - first_)].done = true;
  if (!blocks_.front().done) return;
  int64_t end = 0;
  for (; !blocks_.empty() && blocks_.front().done; ++first_) {
    end = blocks_.front().end;
    blocks_.pop_front();
  }
  ring_.freed->store(end, std::memory_order_release);
  bell_.ring();
}

int64_t RingRelease::held_bytes() const {
  const std::scoped_lock lock(mutex_);
  return blocks_.empty() ? 0 : blocks_.back().end - ring_.freed->load(std::memory_order_acquire);
}

}  // namespace sv
