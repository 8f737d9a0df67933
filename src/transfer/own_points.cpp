
#include <algorithm>

#include "base/first_error.hpp"
#include "file/store_calls.hpp"
#include "packing/point_rows.hpp"
#include "transfer/own_ranges.hpp"

namespace sv {

namespace {

constexpr int64_t most_batch_bytes = 4 << 20;

/// Writes the runs of a share of the field, in the order of the file.
void write_points(const FieldJob &job, const FieldPieces<PackRow> &pieces, const Share &share) {
  Context &context = job.file.context();
  const PointTable &table = *job.layout->points();
  const PointRuns &own = table.of(context.rank());
  const CellRanges ranges(job.field, job.layout->shape().n, share);
  const int64_t bytes = job.field.element_bytes;
  std::vector<std::byte> values(static_cast<size_t>(ranges.elements(own) * bytes));
  job.file.count_range_errors(job.variable, pack_points({own, table.local(), *pieces.points}, ranges, *pieces.row,
                                                        Form::compact, values.data()));
  std::vector<SlabPart> parts;
  std::span<std::byte> rest(values);
  for_point_runs(own, ranges, [&](int64_t position, int64_t elements) {
    const auto size = static_cast<size_t>(elements * bytes);
    const Share run{share.box, share.first + position, share.first + position + elements};
    parts.push_back({slab_of(job.variable, job.record, run), rest.first(size), false});
    rest = rest.subspan(size);
  });
  job.file.home().store().write_many(parts);
}

}  // namespace

std::optional<Error> write_own_points(const FieldJob &job, const FieldPieces<PackRow> &pieces, bool fills) {
  File &file = job.file;
  Context &context = file.context();
  FirstError first(context.rank());
  const auto fill = [&] {
    fill_slab(file, job.variable, job.record);
    synchronise_late(file);  // on another host, the fill values could come behind the values
  };
  // Before anybody's values.
  if (fills && !first.attempt([&] { context.agree("filling " + file.name_of(job.variable), fill); }))
    return first.error();
  first.attempt([&] { make_room(file, job.variable, job.record); });
  const Box whole = Box::whole(job.field.shape);
  const int64_t elements = whole.elements(), step = most_batch_bytes / job.field.element_bytes;
  // A rank that owns nothing must not touch the store except together with others: it may not have the file open.
  const int64_t mine = job.layout->cells_of_rank(context.rank()) > 0 ? 1 : 0;
  for (int64_t begin = 0; begin < elements; begin += step) {
    const Share share{whole, begin, std::min(begin + step, elements)};
    first.note(make_calls(file, {Direction::write, job.variable, mine, static_cast<bool>(first)},
                          [&](int64_t) { write_points(job, pieces, share); }));
  }
  return first.error();
}

}  // namespace sv
