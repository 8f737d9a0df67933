#include "transport/ring_mapping.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

namespace sv {

namespace {

void map_all(const std::vector<Ring> &rings, const RingMapping::Map &map, const std::stop_token &stop) {
  constexpr int64_t piece_bytes = 4 << 20;  // the destructor waits for one
  for (const Ring &ring : rings)
    for (int64_t mapped = 0; mapped < ring.capacity && !stop.stop_requested();) {
      // In its first lap, memory without pages counts as not free (RingRelease).
      const int64_t made = ring.capacity + std::min<int64_t>(ring.freed->load(std::memory_order_acquire), 0);
      const int64_t end = std::min(made, mapped + piece_bytes);
      if (end > mapped)
        map(ring, std::exchange(mapped, end), end);
      else
        stops_within(stop, std::chrono::milliseconds(1));
    }
}

}  // namespace

void RingMapping::begin(std::vector<Ring> rings, Map map) {
  if (thread_.has_begun() || rings.empty()) return;
  static_cast<void>(thread_.begin("sv-map", [own = std::move(rings), each = std::move(map)](
                                                const std::stop_token &stop) { map_all(own, each, stop); }));
}

}  // namespace sv
