#include "store/byte_ranges.hpp"

#include <algorithm>
#include <iterator>

namespace sv {

void ByteRanges::add(int64_t begin, int64_t end) {
  if (begin >= end) return;
  auto next = ends_.upper_bound(begin);
  if (next != ends_.begin() && std::prev(next)->second >= begin) begin = (--next)->first;
  while (next != ends_.end() && next->first <= end) {
    end = std::max(end, next->second);
    next = ends_.erase(next);
  }
  ends_.emplace(begin, end);
}

void ByteRanges::remove(int64_t begin, int64_t end) {
  if (begin >= end) return;
  auto next = ends_.upper_bound(begin);
  if (next != ends_.begin() && std::prev(next)->second > begin) --next;
  while (next != ends_.end() && next->first < end) {
    const auto [first, last] = *next;
    next = ends_.erase(next);
    if (first < begin) ends_.emplace(first, begin);
    if (last > end) ends_.emplace(end, last);
  }
}

bool ByteRanges::contains(int64_t begin, int64_t end) const {
  const auto next = ends_.upper_bound(begin);
  return next != ends_.begin() && std::prev(next)->second >= end;
}

}  // namespace sv
