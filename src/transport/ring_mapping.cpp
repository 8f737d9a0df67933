#include "transport/ring_mapping.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <system_error>

namespace sv {

RingMapping::~RingMapping() {
  leaving_ = true;
  if (thread_.joinable()) thread_.join();
}

void RingMapping::begin(std::vector<Ring> rings, Map map) {
  if (thread_.joinable() || rings.empty()) return;
  try {
    thread_ = std::thread([this, own = std::move(rings), each = std::move(map)] { run(own, each); });
  } catch (const std::system_error &) {  // the system gives no thread: then who places values maps pages
  }
}

void RingMapping::run(const std::vector<Ring> &rings, const Map &map) const {
  constexpr int64_t piece_bytes = 4 << 20;  // the destructor waits for one
  for (const Ring &ring : rings)
    for (int64_t mapped = 0; mapped < ring.capacity && !leaving_;) {
      // In its first lap, what has no pages yet counts as not free (RingRelease).
      const int64_t made = ring.capacity + std::min<int64_t>(ring.freed->load(std::memory_order_acquire), 0);
      const int64_t end = std::min(made, mapped + piece_bytes);
      if (end > mapped)
        map(ring, std::exchange(mapped, end), end);
      else
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

}  // namespace sv
