// What wakes those who sleep until something has changed, in memory that processes may share.
#pragma once

#include <atomic>
#include <cstdint>

#include "transport/wait.hpp"

namespace sv {

struct alignas(64) Bell {
  std::atomic<uint32_t> strokes, sleepers;
  void ring() {
    strokes.fetch_add(1, std::memory_order_acq_rel);
    if (sleepers.load(std::memory_order_acquire) > 0) wake_all(strokes);
  }
};

}  // namespace sv
