#include "packing/written_parts.hpp"

#include <algorithm>

#include "base/fill.hpp"
#include "packing/memory_view.hpp"

namespace sv {

namespace {

/// In order, and joined where they touch.
std::vector<Segment> merged(std::vector<Segment> runs) {
  std::sort(runs.begin(), runs.end(), [](const Segment &a, const Segment &b) { return a.first < b.first; });
  std::vector<Segment> all;
  for (const Segment &run : runs) {
    if (!all.empty() && run.first <= all.back().last)
      all.back().last = std::max(all.back().last, run.last);
    else
      all.push_back(run);
  }
  return all;
}

}  // namespace

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
  return merged(std::move(runs));
}

std::vector<Segment> covered_by_points(std::span<const PointRuns> lists, const CellRanges &ranges, int64_t first) {
  std::vector<Segment> runs;
  for (const PointRuns &list : lists)
    for_point_runs(list, ranges, [&](int64_t position, int64_t elements) {
      runs.push_back({first + position, first + position + elements});
    });
  return merged(std::move(runs));
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

WrittenParts::WrittenParts(const Plan &plan, const Layout &layout, bool fills)
    : plan_(plan), has_holes_(layout.has_holes()), has_points_(layout.points() != nullptr), fills_(fills) {
  if (!has_holes_ || has_points_) return;
  if (fills)
    for (const Box &hole : layout.holes()) boxes_.push_back(plan.extend(hole));
  else
    for (const Patch &patch : layout.patches()) boxes_.push_back(plan.extend(patch.box));
}

std::vector<Segment> WrittenParts::of(const Share &share) const {
  if (share.elements() == 0) return {};
  if (!has_holes_ || fills_) return {{share.first, share.last}};
  return has_points_ ? owned_segments(plan_, share) : covered_segments(boxes_, share);
}

void WrittenParts::fill_holes(const Share &share, const std::byte *fill, std::byte *values) const {
  if (!has_holes_ || !fills_) return;
  const int64_t bytes = plan_.field.element_bytes;
  const auto holes = has_points_ ? hole_segments(plan_, share) : covered_segments(boxes_, share);
  for (const Segment &hole : holes)
    fill_elements(values + (hole.first - share.first) * bytes, hole.last - hole.first, fill, bytes);
}

}  // namespace sv
