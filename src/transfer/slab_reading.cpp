#include "transfer/slab_reading.hpp"

#include <algorithm>

#include "base/first_error.hpp"
#include "delivery/file_delivery.hpp"
#include "packing/point_values.hpp"
#include "packing/stage_schedule.hpp"
#include "transfer/points.hpp"
#include "transfer/rounds.hpp"

namespace sv {

void read_piece(SlabReading &reading, const Piece &piece, std::vector<std::byte> &staging) {
  const int64_t bytes = size_of(reading.file.variable(reading.variable).type), elements = piece.box.elements();
  std::byte *const run = unconverted_run_of(piece, piece.box, reading.row);
  const int64_t step = (run != nullptr ? direct_bytes : staging_bytes) / bytes;
  for (int64_t first = 0, calls = reading.calls((elements + step - 1) / step); calls > 0;
       first = std::min(first + step, elements), --calls) {  // others may read more
    const Share share{piece.box, first, std::min(first + step, elements)};
    const Slab slab = slab_of(reading.variable, reading.record, share);
    const auto size = static_cast<size_t>(share.elements() * bytes);
    if (run != nullptr) {
      reading.store().read(slab, {run + first * bytes, size});
      continue;
    }
    staging.resize(size);
    reading.store().read(slab, staging);
    reading.took(unpack(piece, share, reading.row, Form::in_place, staging.data()));
  }
}

void read_share(SlabReading &reading, const Share &share, std::vector<std::byte> &staging) {
  staging.resize(static_cast<size_t>(share.elements() * size_of(reading.file.variable(reading.variable).type)));
  const Slab slab = slab_of(reading.variable, reading.record, share);
  const Slab nothing = empty_slab(reading.file, reading.variable);
  for (int64_t c = 0, calls = reading.calls(1); c < calls; ++c)  // others may read more
    c == 0 ? reading.store().read(slab, staging) : reading.store().read(nothing, {});
}

namespace {

/// For a store with collective calls: this rank's empty calls before its real ones. False if some rank has failed, so
/// that no rank reads any more.
bool make_empty_calls(const FieldJob &job, int round, bool failed) {
  const auto &sinks = job.plan->stages.front().sinks;
  int64_t mine = 0;
  for (int s = 0; s < std::ssize(sinks); ++s)
    if (sinks.rank(static_cast<size_t>(s)) == job.file.context().rank() && job.plan->share(0, s, round).elements() > 0)
      ++mine;
  const int64_t calls = calls_for(job.file, Direction::read, job.variable, failed ? -1 : mine);
  for (int64_t c = mine; c < calls; ++c) job.file.home().store().read(empty_slab(job.file, job.variable), {});
  return calls >= mine;
}

}  // namespace

std::optional<Error> read_through_writers(SlabReading &reading, const FieldJob &job,
                                          const FieldPieces<UnpackRow> &pieces) {
  Home &home = job.file.home();
  if (home.readers() == Readers::servers) return delivery_of(job.file).get(job, pieces, reading.range_errors);
  Context &context = job.file.context();
  const Plan &plan = *job.plan;
  know_points(context, plan);
  const std::unique_ptr<FieldTarget> target = target_of(plan, context.rank(), pieces);
  FirstError failed(context.rank());
  bool reads = true;
  const auto read = [&](int sink, int round, std::byte *to) {
    const Share share = plan.share(0, sink, round);
    if (share.elements() == 0) return false;
    if (!reads) return true;
    failed.attempt([&] {
      home.store().read(slab_of(job.variable, job.record, share),
                        {to, static_cast<size_t>(share.elements() * plan.field.element_bytes)});
    });
    return true;
  };
  const auto left = caught(context.rank(), [&] {
    const StageSchedule schedule(plan, 0);
    read_rounds({.file = job.file,
                 .doing = "reading " + job.file.name_of(job.variable),
                 .schedule = schedule,
                 .begin = [&](int round) { reads = make_empty_calls(job, round, static_cast<bool>(failed)); },
                 .read = read,
                 .target = *target});
  });
  if (left)
    context.node.give_up(
        *job.file.located(job.variable, left));  // this rank has left the rounds: no rank must wait for it
  reading.took(target->out_of_range);
  return failed.error();
}

}  // namespace sv
