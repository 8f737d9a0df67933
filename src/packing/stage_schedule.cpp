#include "packing/stage_schedule.hpp"

#include "base/fill.hpp"
#include "packing/memory_view.hpp"
#include "packing/point_rows.hpp"

namespace sv {

CellRanges StageSchedule::ranges(int sink, int round) const {
  return {plan_.field, stage().sources->shape().n, plan_.share(stage_, sink, round)};
}

int64_t StageSchedule::bytes_of(int rank, int sink, int round) const {
  if (const PointTable *points = stage().sources->points())
    return ranges(sink, round).elements(points->of(rank)) * plan_.field.element_bytes;
  int64_t elements = 0;
  for (const Patch &patch : stage().sources->patches_of_rank(rank))
    elements += plan_.elements(stage_, patch.box, sink, round);
  return elements * plan_.field.element_bytes;
}

void StageSchedule::spread(const Part &part, const std::byte *message, std::byte *slice) const {
  if (const PointTable *points = stage().sources->points())
    return spread_points(points->of(part.rank), ranges(part.sink, part.round), plan_.field.element_bytes, message,
                         slice);
  const Share share = plan_.share(stage_, part.sink, part.round);
  for (const Patch &patch : stage().sources->patches_of_rank(part.rank))
    message = spread_rows(plan_.extend(patch.box), share, plan_.field.element_bytes, message, slice);
}

void StageSchedule::gather(const Part &part, const std::byte *slice, std::byte *message) const {
  if (const PointTable *points = stage().sources->points())
    return gather_points(points->of(part.rank), ranges(part.sink, part.round), plan_.field.element_bytes, slice,
                         message);
  const Share share = plan_.share(stage_, part.sink, part.round);
  for (const Patch &patch : stage().sources->patches_of_rank(part.rank))
    message = gather_rows(plan_.extend(patch.box), share, plan_.field.element_bytes, slice, message);
}

/// The first patch stands for all.
bool StageSchedule::is_scattered() const {
  constexpr int64_t page_bytes = 4096;
  const Layout &sources = *stage().sources;
  if (sources.points() != nullptr || sources.patches().empty() || stage().sinks.empty()) return false;
  const Box patch = plan_.extend(sources.patches().front().box), &whole = stage().sinks.front().territory.box;
  int64_t run_bytes = plan_.field.element_bytes;
  for (int d = patch.dims() - 1; d >= 0; --d) {
    run_bytes *= patch.count[d];
    if (patch.count[d] != whole.count[d]) return run_bytes < page_bytes;
  }
  return false;
}

void StageSchedule::fill(int sink, int round, std::byte *slice) const {
  fill_elements(slice, plan_.share(stage_, sink, round).elements(), fill_, plan_.field.element_bytes);
}

}  // namespace sv
