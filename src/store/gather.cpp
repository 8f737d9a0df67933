#include "store/gather.hpp"

#include <algorithm>
#include <array>

namespace sv {

namespace {

constexpr size_t copied_bytes = 4 << 10;  // of less

}  // namespace

void Gather::add(int64_t padding, std::span<const std::byte> values) {
  static constexpr std::array<std::byte, 64> zeros{};
  if (parts_.empty()) copies_.clear();
  if (padding > 0) settle();
  for (auto left = static_cast<size_t>(padding); left > 0; left -= std::min(left, zeros.size()))
    copy(std::span(zeros).first(std::min(left, zeros.size())));
  if (values.empty()) return;
  if (!parts_.empty() && parts_.back().values != nullptr &&
      parts_.back().values + parts_.back().bytes == values.data()) {
    parts_.back().bytes += values.size();
    return;
  }
  settle();
  parts_.push_back({values.data(), 0, values.size()});
}

/// The last part gets no longer.
void Gather::settle() {
  if (parts_.empty() || parts_.back().values == nullptr || parts_.back().bytes >= copied_bytes) return;
  const Part small = parts_.back();
  parts_.pop_back();
  copy({small.values, small.bytes});
}

/// Copies that follow one another are one part.
void Gather::copy(std::span<const std::byte> values) {
  if (parts_.empty() || parts_.back().values != nullptr) parts_.push_back({nullptr, copies_.size(), 0});
  copies_.insert(copies_.end(), values.begin(), values.end());
  parts_.back().bytes += values.size();
}

void Gather::write(PositionalFile &file, int64_t offset_bytes, StoreCounters &counters) {
  if (parts_.size() > 1) settle();
  system_parts_.clear();
  for (const Part &part : parts_) {
    const std::byte *const values = part.values != nullptr ? part.values : copies_.data() + part.begin;
    system_parts_.push_back({const_cast<std::byte *>(values), part.bytes});  // that are only read
  }
  parts_.clear();
  file.write(offset_bytes, system_parts_, counters);
}

}  // namespace sv
