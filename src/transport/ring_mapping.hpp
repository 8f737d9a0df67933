// Maps the pages of rings into this rank's memory in a thread, as soon as the ring's reader has made them. A rank with
// short rows touches every page of a block, and would pay a fault for each in its first puts. Every rank that fills
// rings has one.
#pragma once

#include <functional>
#include <vector>

#include "base/thread.hpp"
#include "transport/ring.hpp"

namespace sv {

class RingMapping {
 public:
  /// Maps the pages of a range of a ring, which are there.
  using Map = std::function<void(const Ring &ring, int64_t begin, int64_t end)>;

  /// The thread begins, for rings that outlive this. Called again, nothing happens; nor where there are none. Where the
  /// system gives no thread, who places values maps pages.
  void begin(std::vector<Ring> rings, Map map);

 private:
  Thread thread_;
};

}  // namespace sv
