#include "store/retry.hpp"

#include <chrono>
#include <thread>

namespace sv {

bool retry_until(const std::function<bool()> &happens) {
  constexpr std::chrono::milliseconds patience(2000), pause(50);
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!happens()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(pause);
  }
  return true;
}

}  // namespace sv
