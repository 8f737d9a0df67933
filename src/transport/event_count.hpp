// Wakes sleepers when something has changed, in memory that processes may share.
#pragma once

#include "transport/wait.hpp"

namespace sv {

struct alignas(64) EventCount {
  Counter epoch;
  void ring() {
    epoch.value.fetch_add(1, std::memory_order_acq_rel);
    wake_all(epoch);
  }
};

}  // namespace sv
