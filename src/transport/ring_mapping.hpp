// Maps the pages of rings into this rank's memory in a thread, as soon as those who empty the rings have made them: who
// places short rows touches every page of a block, and would pay a fault for each in its first puts. Whoever fills
// rings has one.
#pragma once

#include <atomic>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "transport/ring.hpp"

namespace sv {

class RingMapping {
 public:
  /// Maps the pages of a range of a ring, which are there.
  using Map = std::function<void(const Ring &ring, int64_t begin, int64_t end)>;

  RingMapping() = default;
  RingMapping(const RingMapping &) = delete;
  ~RingMapping();
  /// The thread begins, for rings that outlive this. Called again, nothing happens; nor where there are none.
  void begin(std::vector<Ring> rings, Map map);

 private:
  void run(const std::vector<Ring> &rings, const Map &map) const;

  std::atomic<bool> leaving_{false};
  std::thread thread_;
};

}  // namespace sv
