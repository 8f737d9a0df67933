#include "assemble/segments.hpp"

#include <algorithm>

#include "assemble/point_rows.hpp"

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

std::vector<Segment> hole_segments(const Plan &plan, const Share &share) {
  const Layout &layout = *plan.stages.back().sources;
  return covered_by_points(layout.points()->holes(), CellRanges(plan.field, layout.shape().n, share), share.first);
}

std::vector<Segment> owned_segments(const Plan &plan, const Share &share) {
  std::vector<Segment> owned;
  int64_t at = share.first;
  for (const Segment &hole : hole_segments(plan, share)) {
    if (hole.first > at) owned.push_back({at, hole.first});
    at = hole.last;
  }
  if (at < share.last) owned.push_back({at, share.last});
  return owned;
}

}  // namespace sv
