#include "transfer/own_stretches.hpp"

#include <algorithm>
#include <chrono>

#include "file/home.hpp"
#include "transport/wait.hpp"

namespace sv {

namespace {

constexpr int64_t part_in_cache_bytes = 64 << 10, large_part_bytes = 4 << 20;
constexpr int parts_for_a_price = 8;
/// Storage with a quick rate and a short call is memory.
constexpr int64_t quick_bytes_per_us = 1000, quick_call_us = 20;

int64_t microseconds_since(Moment begun) {
  return std::chrono::duration_cast<std::chrono::microseconds>(moment_now() - begun).count();
}

}  // namespace

StretchWriter::StretchWriter(File &file, int first_rank)
    : file_(file),
      known_(file.home().owners.surroundings.calls),
      finds_out_(known_ == CallPrice::unknown && file.context().rank() == first_rank) {}

int64_t StretchWriter::part_bytes(bool as_in_file) const {
  const CallPrice calls = finds_out_ && parts_ >= parts_for_a_price ? price() : known_;
  if (finds_out_ && calls == CallPrice::unknown) return part_in_cache_bytes;
  if (as_in_file) return INT64_MAX;
  if (calls == CallPrice::little) return part_in_cache_bytes;
  const int64_t most = file_.context().node.half_bytes();
  return calls == CallPrice::bytes ? std::min(large_part_bytes, most) : most;
}

void StretchWriter::write(const Slab &slab, std::span<const std::byte> values) {
  const Moment begun = moment_now();
  file_.home().store().write(slab, values);
  const auto bytes = std::ssize(values);
  if (bytes > part_in_cache_bytes) return;  // with the bytes of longer calls, the price of a call is not seen
  const int64_t took_us = microseconds_since(begun);
  beyond_slow_us_ = std::min(beyond_slow_us_, beyond_bytes(took_us, bytes));
  if (bytes > part_in_cache_bytes / 2)  // few bytes say nothing about rates
    beyond_quick_us_ = std::min(beyond_quick_us_, took_us - bytes / quick_bytes_per_us);
  ++parts_;
}

CallPrice StretchWriter::price() const {
  if (parts_ == 0) return CallPrice::unknown;
  if (beyond_quick_us_ <= quick_call_us) return CallPrice::little;
  // These calls may have waited until a device had other ranks' writes. No other rank wrote when the file was made.
  const int64_t alone_us = file_.home().handle.store().counters().header_us.value_or(INT64_MAX);
  return std::min(beyond_slow_us_, alone_us) <= priced_call_us ? CallPrice::bytes : CallPrice::call;
}

void learn_calls(File &file, CallPrice agreed) {
  if (agreed != CallPrice::unknown) file.home().owners.surroundings.calls = agreed;
}

}  // namespace sv
