#include "transport/ring_pages.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/error.hpp"

namespace sv {

RingPages::RingPages(Make make, int64_t bytes, RingRelease &release)
    : make_(std::move(make)), bytes_(bytes), release_(release) {}

RingPages::~RingPages() {
  leaving_ = true;
  if (thread_.joinable()) thread_.join();
}

void RingPages::begin() {
  if (thread_.joinable()) return;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error &) {  // the system gives no thread: then this call makes them all
    run();
  }
}

void RingPages::run() {
  const auto failed = caught(-1, [this] { make(); });
  if (!failed) return;
  why_ = failed->what();
  has_failed_.store(true, std::memory_order_release);
}

void RingPages::make() {
  constexpr int64_t piece_bytes = 4 << 20;  // a millisecond
  for (int64_t made = 0; made < bytes_ && !leaving_;) {
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
