#include "engine/own_points.hpp"

#include <algorithm>

#include "engine/owners.hpp"

namespace sv {

namespace {

constexpr int64_t batch_bytes = 4 << 20;

/// Writes the runs of a share of the field, in the order of the file.
void write_runs(const FieldJob &job, const Plan &plan, const FieldPieces<PackRow> &pieces, const Share &share) {
  Context &context = job.file.context();
  const PointTable &table = *job.layout->points();
  const PointRuns &own = table.of(context.rank());
  const CellRanges ranges(plan.field, job.layout->shape().n, share);
  const int64_t bytes = plan.field.element_bytes;
  std::vector<std::byte> values(static_cast<size_t>(ranges.elements(own) * bytes));
  job.file.count_misfits(job.variable, pack_points_compact({own, table.local(), *pieces.points}, ranges, bytes,
                                                           *pieces.row, values.data()));
  std::vector<SlabPart> parts;
  std::span<std::byte> rest(values);
  for_point_runs(own, ranges, [&](int64_t position, int64_t elements) {
    const auto size = static_cast<size_t>(elements * bytes);
    const Share run{share.box, share.first + position, share.first + position + elements};
    parts.push_back({slab_of(job.variable, job.record, run), rest.first(size), false});
    rest = rest.subspan(size);
  });
  job.file.attached_store().write_many(parts);
}

}  // namespace

std::optional<Error> write_own_points(const FieldJob &job, const Plan &plan, const FieldPieces<PackRow> &pieces,
                                      bool fills) {
  File &file = job.file;
  Context &context = file.context();
  if (fills) {
    const auto failed = caught(context.rank(), [&] { fill_slab(file, job.variable, job.record); });
    try {
      context.agree("filling " + file.name_of(job.variable), failed);  // before anybody's values
    } catch (const Error &error) {
      return error;
    }
  }
  auto error = caught(context.rank(), [&] { file.make_room(job.variable, job.record); });
  const Box whole = Box::whole(plan.field.shape);
  const int64_t elements = whole.elements(), step = batch_bytes / plan.field.element_bytes;
  // A rank that has failed, or owns nothing, still makes its part of the calls that a store wants to be collective;
  // else it must not touch the store: it may be none of those that have the file open.
  const int64_t calls = job.layout->cells_of_rank(context.rank()) > 0 ? 1 : 0;
  for (int64_t first = 0; first < elements; first += step) {
    const Share share{whole, first, std::min(first + step, elements)};
    const auto failed = caught(context.rank(), [&] {
      if (file.most_calls(Direction::write, job.variable, error ? -1 : calls) > 0) write_runs(job, plan, pieces, share);
    });
    if (failed && !error) error = failed;
  }
  return error;
}

}  // namespace sv
