#include "transport/ring_mapping.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace sv {

RingMapping::~RingMapping() {
  leaving_ = true;
  if (thread_.joinable()) thread_.join();
}

void RingMapping::begin(std::vector<Ring> rings, Map map) {
  if (thread_.joinable() || rings.empty()) return;
  thread_ = std::thread([this, own = std::move(rings), each = std::move(map)] { run(own, each); });
}

void RingMapping::run(const std::vector<Ring> &rings, const Map &map) const {
  for (const Ring &ring : rings)
    for (int64_t mapped = 0; mapped < ring.capacity && !leaving_;) {
      // In its first lap, what has no pages yet counts as not free (RingRelease).
      const int64_t made = ring.capacity + std::min<int64_t>(ring.freed->load(std::memory_order_acquire), 0);
      if (made > mapped)
        map(ring, std::exchange(mapped, made), made);
      else
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

}  // namespace sv
