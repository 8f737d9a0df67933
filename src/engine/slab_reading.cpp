#include "engine/slab_reading.hpp"

#include "engine/client.hpp"
#include "engine/point_values.hpp"
#include "engine/points.hpp"

#include <algorithm>

#include "assemble/stage_schedule.hpp"
#include "transport/distribution.hpp"

namespace sv {

void read_piece(SlabReading &reading, const Piece &piece, std::vector<std::byte> &staging) {
  const int64_t bytes = size_of(reading.file.variable(reading.variable).type);
  const int64_t elements = piece.box.elements(), step = staging_bytes / bytes;
  for (int64_t first = 0, calls = reading.calls((elements + step - 1) / step); calls > 0;
       first = std::min(first + step, elements), --calls) {
    const Share share{piece.box, first, std::min(first + step, elements)};
    staging.resize(static_cast<size_t>(share.elements() * bytes));
    reading.store().read(slab_of(reading.variable, reading.record, share), staging);
    reading.took(unpack_in_place(piece, share, bytes, reading.row, staging.data()));
  }
}

void read_share(SlabReading &reading, const Share &share, std::vector<std::byte> &staging) {
  staging.resize(static_cast<size_t>(share.elements() * size_of(reading.file.variable(reading.variable).type)));
  const Slab slab = slab_of(reading.variable, reading.record, share);
  const Slab nothing = empty_slab(reading, reading.file.field(reading.variable, 0).shape);
  for (int64_t c = 0, calls = reading.calls(1); c < calls; ++c)  // others may read more
    c == 0 ? reading.store().read(slab, staging) : reading.store().read(nothing, {});
}

Slab empty_slab(const SlabReading &reading, const Index &shape) {
  return slab_of(reading.variable, reading.record, {Box::whole(shape), 0, 0});
}

namespace {

/// Where the store wants collective calls: those that this rank makes for nothing, before its real ones. False where
/// some rank has failed, so that nobody reads any more.
bool make_empty_calls(const SlabReading &reading, const Plan &plan, int round, bool failed) {
  int64_t mine = 0;
  for (size_t s = 0; s < plan.stages.front().sinks.size(); ++s)
    if (plan.stages.front().sinks[s].rank == reading.file.context().rank() &&
        plan.share(0, static_cast<int>(s), round).elements() > 0)
      ++mine;
  const int64_t calls = reading.file.most_calls(Direction::read, reading.variable, failed ? -1 : mine);
  for (int64_t c = mine; c < calls; ++c) reading.file.attached_store().read(empty_slab(reading, plan.field.shape), {});
  return calls >= mine;
}

}  // namespace

std::optional<Error> read_through_writers(SlabReading &reading, const Plan &plan,
                                          const FieldPieces<UnpackRow> &pieces) {
  Context &context = reading.file.context();
  if (reading.file.reads_through_servers()) {
    const ServedField field{reading.variable, reading.record, plan.stages.front().sources, plan.field.first_axis};
    const auto left = caught(context.rank(), [&] { reading.took(context.client()->get(reading.file, field, pieces)); });
    const Context::Beside beside(context);
    const auto failed = caught(
        context.rank(), [&] { context.await_answers("reading " + reading.file.name_of(reading.variable), left); });
    return failed ? failed : context.news_of(reading.file);
  }
  know_points(context, plan);
  const std::unique_ptr<FieldTarget> target = target_of(plan, context.rank(), pieces);
  std::optional<Error> error;
  bool reads = true;
  const auto read = [&](int sink, int round, std::byte *to) {
    const Share share = plan.share(0, sink, round);
    if (share.elements() == 0) return false;
    if (!reads) return true;
    const auto failed = caught(context.rank(), [&] {
      reading.file.attached_store().read(slab_of(reading.variable, reading.record, share),
                                         {to, static_cast<size_t>(share.elements() * plan.field.element_bytes)});
    });
    if (failed && !error) error = failed;
    return true;
  };
  const auto left = caught(context.rank(), [&] {
    Transfers transfers(context.node(), "reading " + reading.file.name_of(reading.variable));
    const StageSchedule schedule(plan, 0);
    Distribution distribution(schedule, context.window(), transfers);
    for (int round = 0; round < plan.rounds; ++round) {
      reads = make_empty_calls(reading, plan, round, error.has_value());
      distribution.round(round, read, *target);
    }
    transfers.finish("the nodes that take what it has read");
    context.count(transfers);
  });
  if (left) context.node().give_up(*left);  // this rank has left the rounds: nobody must wait for it
  reading.took(target->out_of_range);
  return error;
}

}  // namespace sv
