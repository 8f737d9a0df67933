#include "transport/ring_pages.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace sv {

RingPages::RingPages(Make make, int64_t bytes, RingRelease &release)
    : make_(std::move(make)), bytes_(bytes), release_(release) {}

void RingPages::begin() {
  if (thread_.has_begun()) return;
  if (!thread_.begin("sv-pages", [this](const std::stop_token &stop) { run(stop); })) run({});
}

void RingPages::run(const std::stop_token &stop) {
  const auto failed = caught(-1, [&] { make(stop); });
  if (!failed) return;
  why_ = failed->what();
  has_failed_.store(true, std::memory_order_release);
}

void RingPages::make(const std::stop_token &stop) {
  constexpr int64_t piece_bytes = 4 << 20;  // a millisecond
  for (int64_t made = 0; made < bytes_ && !stop.stop_requested();) {
    const int64_t end = std::min(made + piece_bytes, bytes_);
    if (!make_(made, end, why_)) {
      has_failed_.store(true, std::memory_order_release);
      return;
    }
    made = end;
    release_.made(made);
  }
}

}  // namespace sv
