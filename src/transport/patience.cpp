#include "transport/patience.hpp"

#include <utility>

namespace sv {

bool Patience::passed() {
  if (!deadline_.passed()) return false;
  if (const uint64_t now = node_->progress().now(); now == std::exchange(seen_, now)) return true;
  deadline_ = Deadline(node_->watchdog_seconds());
  return false;
}

bool Patience::wait(Counter &counter, uint32_t target) {
  while (!node_->wait(counter, target, deadline_))
    if (passed()) return false;
  return true;
}

}  // namespace sv
