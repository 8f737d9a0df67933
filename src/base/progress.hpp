// How far work has come that takes long inside one call, such as putting thousands of files on the disk. The rank (or
// the thread) that does it counts; a rank that waits for it looks, before it gives up, whether the count has grown. A
// value that points into memory of the node; it outlives nothing. Local.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace sv {

struct Progress {
  /// Of the node, and of models and servers together; nullptr: there is none.
  std::array<std::atomic<uint64_t> *, 2> counts{};

  /// From any thread, after each piece of work.
  void count() const noexcept {
    for (std::atomic<uint64_t> *each : counts)
      if (each != nullptr) each->fetch_add(1, std::memory_order_relaxed);
  }
  uint64_t now() const noexcept {
    uint64_t sum = 0;
    for (const std::atomic<uint64_t> *each : counts)
      if (each != nullptr) sum += each->load(std::memory_order_relaxed);
    return sum;
  }
};

}  // namespace sv
