#include "serve/collected_points.hpp"

#include "assemble/memory_view.hpp"

namespace sv {

/// Calls visit(points, their part of the body) for every client that has something of the share. A body is in the order
/// of the file, so that a share is a stretch of it.
template <class Visit>
void CollectedPoints::for_parts(int sink, int round, Visit &&visit) const {
  if (from_.sink < 0) return;
  const Share share = plan_.share(1, sink, round);
  const int dims = plan_.stages.back().sources->shape().n;
  const CellRanges before(plan_.field, dims, {share.box, 0, share.first});
  const PointTable &points = *plan_.stages.back().sources->points();
  bodies_.for_bodies(from_.sink, from_.round, from_.values, [&](int rank, const std::byte *body) {
    visit(points.of(rank), body + before.elements(points.of(rank)) * plan_.field.element_bytes);
  });
}

int64_t CollectedPoints::place(int sink, int round, std::byte *slice) {
  const Share share = plan_.share(1, sink, round);
  const CellRanges ranges(plan_.field, plan_.stages.back().sources->shape().n, share);
  int64_t bytes = 0;
  for_parts(sink, round, [&](const PointRuns &points, const std::byte *part) {
    spread_points(points, ranges, plan_.field.element_bytes, part, slice);
    bytes += ranges.elements(points) * plan_.field.element_bytes;
  });
  return bytes;
}

int64_t CollectedPoints::write_message(int sink, int round, std::byte *message) {
  if (plan_.collects_all()) return place(sink, round, message);
  const CellRanges ranges(plan_.field, plan_.stages.back().sources->shape().n, plan_.share(1, sink, round));
  int64_t bytes = 0;
  for_parts(sink, round, [&](const PointRuns &points, const std::byte *part) {
    const int64_t own = ranges.elements(points) * plan_.field.element_bytes;
    std::copy_n(part, own, message + bytes);
    bytes += own;
  });
  return bytes;
}

}  // namespace sv
