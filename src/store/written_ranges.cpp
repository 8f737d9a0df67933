#include "store/written_ranges.hpp"

#include <algorithm>
#include <iterator>

namespace sv {

void WrittenRanges::add(int64_t offset_bytes, int64_t bytes) {
  int64_t begin = offset_bytes, end = std::min(offset_bytes + bytes, limit_bytes_);
  if (begin >= end) return;
  auto next = ends_.upper_bound(begin);
  if (next != ends_.begin() && std::prev(next)->second >= begin) {
    --next;
    if (next->second >= end) return;
    begin = next->first;
  }
  while (next != ends_.end() && next->first <= end) {
    end = std::max(end, next->second);
    next = ends_.erase(next);
  }
  if (ends_.size() == most)
    truncated_ = true;
  else
    ends_.emplace(begin, end);
}

}  // namespace sv
