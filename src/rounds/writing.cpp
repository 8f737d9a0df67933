#include "rounds/writing.hpp"

#include <array>
#include <set>

#include "assemble/kept_schedule.hpp"
#include "assemble/point_values.hpp"
#include "assemble/written_parts.hpp"
#include "rounds/behind.hpp"
#include "rounds/carrier.hpp"
#include "rounds/own_blocks.hpp"
#include "rounds/own_ranges.hpp"
#include "rounds/own_stretches.hpp"
#include "rounds/points.hpp"
#include "rounds/rank_alone.hpp"
#include "rounds/rounds.hpp"
#include "rounds/settle.hpp"
#include "rounds/store_calls.hpp"
#include "transport/traffic.hpp"

namespace sv {

namespace {

/// Writes what has arrived at this rank, one run after the other: within the call, or behind it.
class FieldOutlet final : public Outlet {
 public:
  /// `in_gate`: all others wait while this rank writes.
  FieldOutlet(const FieldJob &job, bool fills, bool in_gate)
      : job_(job), fills_(fills), in_gate_(in_gate), parts_(*job.plan, *job.layout, fills) {}

  void write(const Exchange &exchange, int round, const std::shared_ptr<void> &room) override;
  /// Of this rank, as a writer.
  std::optional<Error> error;

 private:
  void write_now();
  void write_in_parts(const Exchange &exchange, int round, const std::shared_ptr<void> &room);

  const FieldJob &job_;
  const bool fills_, in_gate_;
  std::shared_ptr<const KeptSchedule> kept_;  // of the last stage
  const WrittenParts parts_;
  std::vector<ArrivedRun> runs_;  // of a round
};

void FieldOutlet::write(const Exchange &exchange, int round, const std::shared_ptr<void> &room) {
  const int64_t bytes = job_.field.element_bytes;
  if (exchange.in_parts()) return write_in_parts(exchange, round, room);
  runs_.clear();
  for (const int sink : exchange.own_sinks()) {
    const Share share = job_.plan->share(static_cast<int>(job_.plan->stages.size()) - 1, sink, round);
    if (error || share.elements() == 0) continue;
    add_runs(runs_, runs_of(slab_of(job_.variable, job_.record, share), parts_.of(share), bytes),
             exchange.slice(sink, round));
  }
  if (room == nullptr) return write_now();
  BehindFile &later = *behind_of(job_.file);
  later.writing().write(later, std::exchange(runs_, {}), [kept = room] {});
}

void FieldOutlet::write_in_parts(const Exchange &exchange, int round, const std::shared_ptr<void> &room) {
  BehindFile &later = *behind_of(job_.file);
  const int64_t bytes = job_.field.element_bytes;
  const int stage = static_cast<int>(job_.plan->stages.size()) - 1;
  if (kept_ == nullptr)
    kept_ = std::make_shared<KeptSchedule>(
        *job_.plan, stage, fills_ ? fill_in_file_order(job_.file, job_.variable) : std::vector<std::byte>{});
  std::vector<SliceInParts> slices;
  for (const int sink : exchange.own_sinks()) {
    const Share share = job_.plan->share(stage, sink, round);
    if (error || share.elements() == 0) continue;
    SliceInParts slice{
        share.elements() * bytes, {}, runs_of(slab_of(job_.variable, job_.record, share), parts_.of(share), bytes)};
    const Node &node = job_.file.context().node;
    slice.put_in_order = [kept = kept_, &node, sink, round, from = exchange.slice(sink, round)](std::byte *to) {
      put_in_order(kept->schedule(), node.topology(), {node.index(), sink, round}, from, to);
    };
    slices.push_back(std::move(slice));
  }
  if (!slices.empty()) later.writing().write_slices(later, std::move(slices), room);
}

void FieldOutlet::write_now() {
  const Calls calls{Direction::write, job_.variable, std::ssize(runs_), error.has_value(), in_gate_};
  const auto failed = make_calls(job_.file, calls, [&](int64_t call) {
    Store &store = job_.file.home().store();
    if (call < 0) return store.write(empty_slab(job_.file, job_.variable), {});
    const ArrivedRun &run = runs_[static_cast<size_t>(call)];
    store.write(run.slab, run.values);
  });
  if (failed && !error) error = failed;
}

/// Returns what this rank fails with as a writer, after every round has been gone through.
std::optional<Error> write_in_rounds(const FieldJob &job, const FieldPieces<PackRow> &pieces, bool fills) {
  File &file = job.file;
  const Plan &plan = *job.plan;
  const int rank = file.context().rank();
  const std::vector<std::byte> fill = fills ? fill_in_file_order(file, job.variable) : std::vector<std::byte>{};
  know_points(file.context(), plan);
  std::vector<std::unique_ptr<Schedule>> schedules;
  for (int stage = 0; stage < std::ssize(plan.stages); ++stage)
    schedules.push_back(schedule_of(plan, stage, fills ? fill.data() : nullptr));
  const std::unique_ptr<FieldSource> source = source_of(plan, rank, pieces);
  FieldOutlet outlet(job, fills, false);
  outlet.error = caught(rank, [&] { make_room(file, job.variable, job.record); });
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
                .outlet = outlet});
  file.count_misfits(job.variable, source->out_of_range);
  return outlet.error;
}

/// A field of one round, which one rank can write in a gate.
class FieldInGate {
 public:
  /// Of a field that may come so.
  explicit FieldInGate(const FieldJob &job)
      : job_(job), schedule_(schedule_of(*job.plan, 0, nullptr)), writer_(writer_in_gate(job.file, *schedule_)) {}

  /// nullopt: nobody.
  const std::optional<WriterInGate> &writer() const { return writer_; }
  /// Collective. Returns what the writer fails with. `pass`: where it is the gate of another call, in which the writer
  /// may go on when it has written.
  std::optional<Error> write(const FieldPieces<PackRow> &pieces, const std::string &call,
                             const std::optional<Error> &error, const PassGate &pass = {}) {
    File &file = job_.file;
    source_ = source_of(*job_.plan, file.context().rank(), pieces);
    const auto write = [&](const Exchange &exchange) {
      FieldOutlet outlet(job_, false, true);
      outlet.write(exchange, 0, nullptr);
      if (outlet.error) throw outlet.error->in_variable(file.variable(job_.variable).name).in_file(file.path());
      file.ledger.touch(job_.variable, job_.record);
    };
    return write_in_gate({.file = file,
                          .variable = job_.variable,
                          .schedule = *schedule_,
                          .source = *source_,
                          .call = call,
                          .writer = *writer_,
                          .write = std::cref(write),
                          .pass = pass},
                         error);
  }
  bool has_misfits() const { return source_->out_of_range > 0; }
  void count_misfits() { job_.file.count_misfits(job_.variable, source_->out_of_range); }
  /// It was written.
  void end() {
    took_in_gate(job_.file, job_.variable, Box::whole(job_.field.shape).elements() * job_.field.element_bytes);
    job_.file.ledger.touch(job_.variable, job_.record);
  }

 private:
  const FieldJob &job_;
  const std::unique_ptr<Schedule> schedule_;
  const std::optional<WriterInGate> writer_;
  std::unique_ptr<FieldSource> source_;
};

/// Whether it has one round, of which nothing is filled, and its store needs nobody but the writer.
bool may_come_in_gate(const FieldJob &job) {
  if (!job.plan || job.plan->stages.size() > 1 || job.layout->points() != nullptr || fills_holes(job)) return false;
  return takes_in_gate(job.file, job.variable);
}

}  // namespace

bool write_at_once(const FieldJob &job, const FieldPieces<PackRow> &pieces, const std::string &call,
                   const std::optional<Error> &error) {
  File &file = job.file;
  if (is_small_and_alone(job)) {
    file.context().agree(call, error);
    const auto failed = write_alone(job, pieces);
    or_fail(file, [&] {
      if (failed) throw *file.located(job.variable, failed);
    });
    file.ledger.touch(job.variable, job.record);
    return true;
  }
  if (!may_come_in_gate(job)) return false;
  if (writes_own_blocks(job)) {
    file.context().agree(call, error);
    const OwnBlocks mine = write_own_blocks(job, pieces);
    learn_calls(file, conclude_writing(file, job.variable, job.record, mine.error, {told_price(mine.calls)})[0]);
    return true;
  }
  FieldInGate field(job);
  if (!field.writer()) return false;
  const auto failed = field.write(pieces, call, error);
  field.count_misfits();
  or_fail(file, [&] {
    if (failed) throw Error(*failed);
  });
  field.end();
  return true;
}

bool write_in_passing(const FieldJob &job, const FieldPieces<PackRow> &pieces, const PassWithValues &pass) {
  if (!may_come_in_gate(job) || writes_own_blocks(job)) return false;
  FieldInGate field(job);
  if (!field.writer() || field.writer()->rank != owner_rank) return false;
  bool done = false;
  const auto pass_gate = [&](const std::optional<Error> &error, const Deed &deed) -> std::optional<Error> {
    done = pass(error, field.has_misfits(), deed);
    return std::nullopt;  // who passes the gate knows
  };
  field.write(pieces, "writing " + job.file.name_of(job.variable), std::nullopt, pass_gate);
  if (!done) return true;
  field.count_misfits();
  field.end();
  return true;
}

bool fills_holes(const FieldJob &job) {
  const File &file = job.file;
  return job.layout->has_holes() && file.settings().fill && !file.ledger.touched(job.variable, job.record);
}

std::optional<Error> bring_field(const FieldJob &job, const FieldPieces<PackRow> &pieces) {
  File &file = job.file;
  if (Carrier *const carrier = file.home().carrier()) {
    carrier->put(job, pieces);
    return std::nullopt;
  }
  BehindFile *const later = behind_of(file);
  if (later != nullptr) later->begin(std::array{WrittenSlab{job.variable, job.record}}, Dealing::ranges);
  std::optional<Error> error;
  const auto left = caught(file.context().rank(), [&] {
    const bool fills = fills_holes(job);
    const bool alone = job.layout->points() != nullptr && job.route->self;
    error = alone ? write_own_points(job, pieces, fills) : write_in_rounds(job, pieces, fills);
  });
  if (error) error->in_variable(file.variable(job.variable).name);
  return end_bringing(file, left, error);
}

std::optional<Error> end_bringing(File &file, const std::optional<Error> &left, std::optional<Error> error) {
  if (left) file.context().node.give_up(*left);  // nobody must wait for this rank
  if (error) error->in_file(file.path());
  BehindFile *const later = behind_of(file);
  if (error && later != nullptr) later->note(*std::exchange(error, std::nullopt));  // no rank waits for others
  return error;
}

void write_field(const FieldJob &job, const FieldPieces<PackRow> &pieces) {
  const WrittenSlab slab{job.variable, job.record};
  job.file.home().kept_back_bytes = 0;
  conclude_bringing(job.file, job.file.name_of(job.variable), std::span(&slab, 1), bring_field(job, pieces));
}

Agreed conclude_writing(File &file, int variable, int64_t record, std::optional<Error> error, const Agreed &values) {
  if (error) error->in_variable(file.variable(variable).name).in_file(file.path());
  Agreed all{};
  or_fail(file, [&] { all = file.context().agree("end of writing " + file.name_of(variable), error, values); });
  file.ledger.touch(variable, record);
  return all;
}

void conclude_bringing(File &file, const std::string &call, std::span<const WrittenSlab> slabs,
                       const std::optional<Error> &error) {
  // What servers or threads write behind the calls fails later.
  if (file.home().carrier() == nullptr && behind_of(file) == nullptr)
    or_fail(file, [&] { file.context().agree("end of writing " + call, error); });
  for (const WrittenSlab &slab : slabs) file.ledger.touch(slab.variable, slab.record);
}

void define_fixed(File &file, const std::vector<int> &variables) {
  // Fixed variables do not wait for a commit: what others have put is read now.
  if (file.mode == Mode::data && file.home().owners.surroundings.late && file.home().carrier() == nullptr)
    or_fail(file, [&] { agree(file, "what was put into", -1, [&] { synchronise_late(file); }); });
  if (file.mode != Mode::data || !file.settings().fill) return;
  std::set<int> unput;
  for (const int v : variables)
    if (!file.variable(v).has_records && !file.ledger.touched(v, 0)) unput.insert(v);
  if (unput.empty()) return;
  or_fail(file, [&] {
    if (Carrier *const carrier = file.home().carrier())
      carrier->define_fixed({unput.begin(), unput.end()});
    else
      for (const int v : unput)
        agree(file, "the fill values of " + file.name_of(v), v, [&] { fill_slab(file, v, -1); });
    settle(file);
  });
  for (const int v : unput) file.ledger.touch(v, -1);
}

}  // namespace sv
