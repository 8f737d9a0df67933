#include "assemble/segments.hpp"

#include <algorithm>

namespace sv {

std::vector<Segment> covered_segments(std::span<const Box> boxes, const Share &share) {
  std::vector<Segment> runs;
  for (const Box &box : boxes) {
    RowCursor rows(intersect(box, share.box), share.box, share.first, share.last);
    for (Row row; rows.next(row);) {
      if (!runs.empty() && runs.back().last == row.position)
        runs.back().last += row.elements;
      else
        runs.push_back({row.position, row.position + row.elements});
    }
  }
  std::sort(runs.begin(), runs.end(), [](const Segment &a, const Segment &b) { return a.first < b.first; });
  std::vector<Segment> merged;
  for (const Segment &run : runs) {
    if (!merged.empty() && run.first <= merged.back().last)
      merged.back().last = std::max(merged.back().last, run.last);
    else
      merged.push_back(run);
  }
  return merged;
}

std::vector<Segment> left_between(const std::vector<Segment> &segments, const Share &share) {
  std::vector<Segment> left;
  int64_t at = share.first;
  for (const Segment &each : segments) {
    if (each.first > at) left.push_back({at, each.first});
    at = each.last;
  }
  if (at < share.last) left.push_back({at, share.last});
  return left;
}

}  // namespace sv
