#include "servers/collected_points.hpp"

namespace sv {

int64_t CollectedPoints::put(int sink, int round, Form form, std::byte *to) {
  if (from_.sink < 0) return 0;
  const bool orders = form == Form::in_place || plan_.collects_all();
  const Share share = plan_.share(1, sink, round);
  const Layout &layout = *plan_.stages.back().sources;
  const int64_t element_bytes = plan_.field.element_bytes;
  const CellRanges ranges(plan_.field, layout.shape().n, share);
  const CellRanges before(plan_.field, layout.shape().n, {share.box, 0, share.first});
  int64_t bytes = 0;
  bodies_.for_bodies(from_.sink, from_.round, from_.values, [&](int rank, const std::byte *body) {
    const PointRuns &points = layout.points()->of(rank);
    body += before.elements(points) * element_bytes;  // in the order of the file, so that a share is a stretch of it
    const int64_t own = ranges.elements(points) * element_bytes;
    if (orders)
      spread_points(points, ranges, element_bytes, body, to);
    else
      std::copy_n(body, own, to + bytes);
    bytes += own;
  });
  return bytes;
}

}  // namespace sv
