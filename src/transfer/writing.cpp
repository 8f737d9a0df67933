#include "transfer/writing.hpp"

#include <array>
#include <set>

#include "base/first_error.hpp"
#include "delivery/file_delivery.hpp"
#include "file/store_calls.hpp"
#include "model/filling.hpp"
#include "packing/kept_schedule.hpp"
#include "packing/point_values.hpp"
#include "packing/written_parts.hpp"
#include "plan/stretches.hpp"
#include "transfer/facts.hpp"
#include "transfer/own_blocks.hpp"
#include "transfer/own_ranges.hpp"
#include "transfer/own_stretches.hpp"
#include "transfer/points.hpp"
#include "transfer/rank_alone.hpp"
#include "transfer/rounds.hpp"
#include "transport/message_layout.hpp"

namespace sv {

namespace {

/// Delivers the arrived data of this rank, run by run.
class FieldSink final : public RoundSink {
 public:
  /// `in_gate`: all others wait while this rank writes.
  FieldSink(const FieldJob &job, bool fills, bool in_gate)
      : error(job.file.context().rank()),
        job_(job),
        fills_(fills),
        in_gate_(in_gate),
        parts_(*job.plan, *job.layout, fills) {}

  void write(const Exchange &exchange, int round, const std::shared_ptr<void> &room) override;
  /// Of this rank, as a writer.
  FirstError error;

 private:
  std::function<void(std::byte *)> ordering_of(int sink, int round, const std::byte *slice);

  const FieldJob &job_;
  const bool fills_, in_gate_;
  std::shared_ptr<const KeptSchedule> kept_;  // of the last stage
  const WrittenParts parts_;
};

void FieldSink::write(const Exchange &exchange, int round, const std::shared_ptr<void> &room) {
  const int64_t bytes = job_.field.element_bytes;
  const int stage = static_cast<int>(job_.plan->stages.size()) - 1;
  ArrivedRound arrived{job_.variable, {}, {}, room, static_cast<bool>(error), in_gate_};
  for (const int sink : exchange.own_sinks()) {
    const Share share = job_.plan->share(stage, sink, round);
    if (error || share.elements() == 0) continue;
    auto runs = runs_of(slab_of(job_.variable, job_.record, share), parts_.of(share), bytes);
    std::byte *const slice = exchange.slice(sink, round);
    if (exchange.in_parts())
      arrived.in_parts.push_back({share.elements() * bytes, ordering_of(sink, round, slice), std::move(runs)});
    else
      add_runs(arrived.runs, runs, slice);
  }
  error.note(delivery_of(job_.file).write(std::move(arrived)));
}

/// Puts a slice that stands in parts in the order of the file, in any thread.
std::function<void(std::byte *)> FieldSink::ordering_of(int sink, int round, const std::byte *slice) {
  if (kept_ == nullptr)
    kept_ = std::make_shared<KeptSchedule>(
        *job_.plan, static_cast<int>(job_.plan->stages.size()) - 1,
        fills_ ? fill_in_file_order(job_.file, job_.variable) : std::vector<std::byte>{});
  return [kept = kept_, &node = job_.file.context().node, sink, round, slice](std::byte *to) {
    put_in_order(kept->schedule(), node.topology(), {node.index(), sink, round}, slice, to);
  };
}

/// Returns what this rank fails with as a writer, after every round has been gone through. `made`: the schedule of a
/// plan of one stage that fills nothing, where it was made before.
std::optional<Error> write_in_rounds(const FieldJob &job, const FieldPieces<PackRow> &pieces, bool fills,
                                     std::unique_ptr<Schedule> made) {
  File &file = job.file;
  const Plan &plan = *job.plan;
  const int rank = file.context().rank();
  const std::vector<std::byte> fill = fills ? fill_in_file_order(file, job.variable) : std::vector<std::byte>{};
  know_points(file.context(), plan);
  std::vector<std::unique_ptr<Schedule>> schedules;
  for (int stage = 0; stage < std::ssize(plan.stages); ++stage)
    schedules.push_back(made != nullptr ? std::move(made) : schedule_of(plan, stage, fills ? fill.data() : nullptr));
  const std::unique_ptr<FieldSource> source = source_of(plan, rank, pieces);
  FieldSink writes(job, fills, false);
  writes.error.attempt([&] { make_room(file, job.variable, job.record); });
  write_rounds({.file = file,
                .variable = job.variable,
                .doing = "writing " + file.name_of(job.variable),
                .for_whom = "the nodes that take its data",
                .stages = std::move(schedules),
                .source = *source,
                .passed_on =
                    [&](const Exchange &collected) {
                      return passed_on_source(plan, rank, [&collected](int sink, int round) {
                        return static_cast<const std::byte *>(collected.slice(sink, round));
                      });
                    },
                .sink = writes});
  file.count_range_errors(job.variable, source->out_of_range);
  return writes.error.error();
}

/// Exchanges the values of a field with its writers, also servers. Returns this rank's error, without agreeing on it.
std::optional<Error> exchange_field(const FieldJob &job, const FieldPieces<PackRow> &pieces, Strategy strategy,
                                    std::unique_ptr<Schedule> made) {
  File &file = job.file;
  FileDelivery &delivery = delivery_of(file);
  if (strategy == Strategy::servers) {
    delivery.put(job, pieces);
    return std::nullopt;
  }
  delivery.begin(std::array{WrittenSlab{job.variable, job.record}}, WriterAssignment::ranges);
  std::optional<Error> error;
  const auto left = caught(file.context().rank(), [&] {
    const bool fills = fills_holes(job);
    error = strategy == Strategy::own_points ? write_own_points(job, pieces, fills)
                                             : write_in_rounds(job, pieces, fills, std::move(made));
  });
  if (error) error->in_variable(file.variable(job.variable).name);
  return end_exchange(file, file.located(job.variable, left), error);
}

/// A field up to where it moves, and the facts by which its strategy is chosen. Its schedule is made when a fact needs
/// it, and kept for the exchange.
class PreparedField final : public WritingInGate {
 public:
  explicit PreparedField(const FieldJob &job) : job_(job) {}

  /// `of_list`: see Facts.
  Strategy strategy(bool of_list = false) {
    const auto fills = [this] { return fills_holes(job_); };
    const auto long_stretches = [this] { return has_long_stretches(*job_.plan, *job_.layout); };
    const auto fits_gate = [this] {
      schedule_ = schedule_of(*job_.plan, 0, nullptr);
      writer_ = writer_in_gate(job_.file, *schedule_);
      return writer_.has_value();
    };
    Facts facts = writing_facts(job_.file, job_.variable);
    if (job_.plan != nullptr) facts = with_plan(facts, *job_.plan, *job_.layout);
    facts.of_list = of_list;
    facts.fills = LazyFact::by(fills);
    facts.long_stretches = LazyFact::by(long_stretches);
    facts.fits_gate = LazyFact::by(fits_gate);
    return writing_strategy(facts);
  }
  std::unique_ptr<Schedule> take_schedule() { return std::move(schedule_); }

  // Of a field that is written in a gate.

  const WriterInGate &writer() const { return *writer_; }
  /// As RoundInGate.
  void place(const FieldPieces<PackRow> &pieces, std::string_view doing, const std::optional<Error> &error) {
    source_ = source_of(*job_.plan, job_.file.context().rank(), pieces);
    round_.emplace(RoundInGate::Job{.file = job_.file,
                                    .variable = job_.variable,
                                    .schedule = *schedule_,
                                    .source = *source_,
                                    .doing = doing,
                                    .writer = *writer_,
                                    .write = [this](const Exchange &exchange) { write(exchange); }},
                   error);
  }
  RoundInGate &round() override { return *round_; }
  bool has_range_errors() const override { return source_->out_of_range > 0; }
  void count_range_errors() { job_.file.count_range_errors(job_.variable, source_->out_of_range); }
  void end(bool is_written) override {
    round_->end();
    if (!is_written) return;
    count_writing(job_.file, Strategy::in_gate);
    count_range_errors();
    end_written();
  }
  void end_written() {
    took_in_gate(job_.file, job_.variable, job_.field.shape.product() * job_.field.element_bytes);
    job_.file.ledger.touch(job_.variable, job_.record);
  }

 private:
  /// In the gate, on the writer.
  void write(const Exchange &exchange) const {
    File &file = job_.file;
    FieldSink sink(job_, false, true);
    sink.write(exchange, 0, nullptr);
    name_errors(file, job_.variable, [&] { sink.error.check(); });
    file.ledger.touch(job_.variable, job_.record);
  }

  const FieldJob &job_;
  std::unique_ptr<Schedule> schedule_;
  std::optional<WriterInGate> writer_;
  std::unique_ptr<FieldSource> source_;
  std::optional<RoundInGate> round_;
};

void write_by_strategy(PreparedField &field, const FieldJob &job, const FieldPieces<PackRow> &pieces,
                       Strategy strategy) {
  File &file = job.file;
  if (strategy == Strategy::independent) {
    or_fail(file, [&] { name_errors(file, job.variable, [&] { write_alone(job, pieces); }); });
    return file.ledger.touch(job.variable, job.record);
  }
  if (strategy == Strategy::own_stretches) {
    const OwnBlocks mine = write_own_blocks(job, pieces);
    return conclude_writing(file, job.variable, job.record, mine.error, mine.calls);
  }
  const WrittenSlab slab{job.variable, job.record};
  file.home().kept_back_bytes = 0;
  const auto error = exchange_field(job, pieces, strategy, field.take_schedule());
  conclude_exchange(file, file.name_of(job.variable), std::span(&slab, 1), error);
}

}  // namespace

void write_field(const FieldJob &job, const FieldPieces<PackRow> &pieces, const std::string &call,
                 const std::optional<Error> &error) {
  File &file = job.file;
  PreparedField field(job);
  const Strategy strategy = field.strategy();
  count_writing(file, strategy);
  if (strategy != Strategy::in_gate) {
    file.context().agree(call, error);
    return write_by_strategy(field, job, pieces, strategy);
  }
  field.place(pieces, call, error);
  RoundInGate &round = field.round();
  const auto failed = file.context().agree_and_do(call, round.error(), round.action());
  round.end();
  field.count_range_errors();
  or_fail(file, [&] {
    if (failed) throw Error(*failed);
  });
  field.end_written();
}

std::unique_ptr<WritingInGate> in_gate(const FieldJob &job, const FieldPieces<PackRow> &pieces) {
  auto field = std::make_unique<PreparedField>(job);
  if (field->strategy() != Strategy::in_gate || field->writer().rank != owner_rank) return nullptr;
  field->place(pieces, "writing recorded puts", std::nullopt);
  return field;
}

bool fills_holes(const FieldJob &job) {
  const File &file = job.file;
  return job.layout->has_holes() && file.settings().fill && !file.ledger.touched(job.variable, job.record);
}

std::optional<Error> exchange_field(const FieldJob &job, const FieldPieces<PackRow> &pieces) {
  PreparedField field(job);
  const Strategy strategy = field.strategy(true);
  return exchange_field(job, pieces, strategy, field.take_schedule());
}

std::optional<Error> end_exchange(File &file, const std::optional<Error> &left, std::optional<Error> error) {
  if (left) file.context().node.give_up(*left);  // no rank must wait for this one
  if (error) error->in_file(file.path());
  return delivery_of(file).keep(std::move(error));
}

void conclude_writing(File &file, int variable, int64_t record, std::optional<Error> error, CallPrice calls) {
  if (error) error->in_variable(file.variable(variable).name).in_file(file.path());
  or_fail(file, [&] {
    learn_calls(file, file.context().agree("end of writing " + file.name_of(variable), error, Min(calls)));
  });
  file.ledger.touch(variable, record);
}

void conclude_exchange(File &file, const std::string &call, std::span<const WrittenSlab> slabs,
                       const std::optional<Error> &error) {
  delivery_of(file).conclude(call, error);
  file.ledger.touch(slabs);
}

void define_fixed(File &file, const std::vector<int> &variables) {
  // Fixed variables do not wait for a commit: puts of others are read now.
  if (file.mode == Mode::data && file.home().owners.surroundings.late && file.home().writes_here())
    or_fail(file, [&] { agree(file, "earlier puts into", -1, [&] { synchronise_late(file); }); });
  if (file.mode != Mode::data || !file.settings().fill) return;
  std::set<int> unput;
  for (const int v : variables)
    if (is_filled(file.variable(v)) && !file.variable(v).has_records && !file.ledger.touched(v, 0)) unput.insert(v);
  if (unput.empty()) return;
  FileDelivery &delivery = delivery_of(file);
  or_fail(file, [&] {
    if (!delivery.define_fixed({unput.begin(), unput.end()}))
      for (const int v : unput)
        agree(file, "the fill values of " + file.name_of(v), v, [&] { fill_slab(file, v, -1); });
    delivery.settle();
  });
  for (const int v : unput) file.ledger.touch(v, -1);
}

}  // namespace sv
