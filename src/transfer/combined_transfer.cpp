#include "transfer/combined_transfer.hpp"

#include <algorithm>
#include <functional>

#include "base/first_error.hpp"
#include "delivery/file_delivery.hpp"
#include "file/file_trace.hpp"
#include "file/home.hpp"
#include "packing/combined_schedule.hpp"
#include "packing/run_schedule.hpp"
#include "transfer/facts.hpp"
#include "transfer/line_plan.hpp"
#include "transfer/rounds.hpp"
#include "transfer/run_values.hpp"

namespace sv {

namespace {

/// This rank's claims on the portions of a slice, with the requests behind them.
class OwnClaims {
 public:
  OwnClaims(const AskedFields &fields, const CombinedPlan &plan)
      : fields_(fields), plan_(plan), schedule_(plan), rank_(fields.file().context().rank()) {}

  /// Calls visit(portion, request, piece).
  template <class Visit>
  void visit(int sink, int round, Visit &&visit) const {
    schedule_.for_claims({rank_, sink, round}, [&](const Portion &portion, const Claim &claim) {
      const Place &place = plan_.place_of(portion);
      const int request = fields_.own[static_cast<size_t>(place.band)].at(place.record, claim.order);
      const int64_t record = plan_.band_of(portion).first_record + place.record;
      visit(portion, request, piece_of(fields_.mine(request), claim, record));
    });
  }
  int64_t bytes(int sink, int round) const { return schedule_.bytes_of(rank_, sink, round); }

 private:
  const AskedFields &fields_;
  const CombinedPlan &plan_;
  const CombinedSchedule schedule_;
  const int rank_;
};

/// Callers' arrays, packed straight into place.
class RequestSource final : public Source {
 public:
  RequestSource(const OwnClaims &claims, const CombinedPlan &plan, RequestRows<PackRow> &rows)
      : claims_(claims), plan_(plan), rows_(rows) {}

  int64_t put(int sink, int round, Form form, std::byte *to) override {
    int64_t bytes = 0;
    claims_.visit(sink, round, [&](const Portion &portion, int request, const Piece &piece) {
      const Share share = plan_.share_of(portion);
      std::byte *const at = to + (form == Form::compact ? bytes : portion.slice_bytes);
      rows_.took(request, pack(piece, share, rows_.of(request), form, at));
      bytes += elements_in(piece.box, share) * plan_.band_of(portion).element_bytes;
    });
    return bytes;
  }

 private:
  const OwnClaims &claims_;
  const CombinedPlan &plan_;
  RequestRows<PackRow> &rows_;
};

/// The way back.
class RequestTarget final : public Target {
 public:
  RequestTarget(const OwnClaims &claims, const CombinedPlan &plan, RequestRows<UnpackRow> &rows)
      : claims_(claims), plan_(plan), rows_(rows) {}

  void take(int sink, int round, Form form, const std::byte *from) override {
    int64_t bytes = 0;
    claims_.visit(sink, round, [&](const Portion &portion, int request, const Piece &piece) {
      const Share share = plan_.share_of(portion);
      const std::byte *const at = from + (form == Form::compact ? bytes : portion.slice_bytes);
      rows_.took(request, unpack(piece, share, rows_.of(request), form, at));
      bytes += elements_in(piece.box, share) * plan_.band_of(portion).element_bytes;
    });
  }

 private:
  const OwnClaims &claims_;
  const CombinedPlan &plan_;
  RequestRows<UnpackRow> &rows_;
};

/// The fields of a list, lined up.
struct Lined {
  std::unique_ptr<Schedule> schedule;
  std::function<std::vector<SlabPart>(int sink, int round, std::byte *slice)> parts;  // of a slice, to be moved
};
Lined by_claims(const CombinedPlan &plan) {
  return {std::make_unique<CombinedSchedule>(plan),
          [&plan](int sink, int round, std::byte *slice) { return parts_of(plan, sink, round, slice); }};
}
/// `widest_gap`: as of parts_of.
Lined by_runs(const RunTable &table, int64_t widest_gap) {
  return {std::make_unique<RunSchedule>(*table.plan, table.near, table.far),
          [&table, widest_gap](int sink, int round, std::byte *slice) {
            const size_t first = table.covered_of_round[static_cast<size_t>(round)];
            const size_t last = table.covered_of_round[static_cast<size_t>(round) + 1];
            const auto covered = std::span(table.covered).subspan(first, last - first);
            return parts_of(*table.plan, sink, round, {covered, widest_gap}, slice);
          }};
}

/// Delivers the slices of this rank, or reads them, and keeps its error while the rounds go on.
class Parts final : public RoundSink {
 public:
  Parts(File &file, const Lined &lined) : file_(file), lined_(lined), error_(file.context().rank()) {}

  void write(const Exchange &exchange, int round, const std::shared_ptr<void> &room) override {
    FileDelivery &delivery = delivery_of(file_);
    for (const int sink : exchange.own_sinks())
      move(sink, round, exchange.slice(sink, round),
           [&](auto &parts) { delivery.write_parts(std::move(parts), room); });
  }
  /// False where nothing is to be read.
  bool read(int sink, int round, std::byte *slice) {
    return move(sink, round, slice, [&](const auto &parts) { file_.home().store().read_many(parts); });
  }
  const std::optional<Error> &error() const { return error_.error(); }

 private:
  /// False where nothing is to be moved.
  template <class Action>
  bool move(int sink, int round, std::byte *slice, Action &&action) {
    bool any = true;
    error_.attempt([&] {
      std::vector<SlabPart> parts = lined_.parts(sink, round, slice);
      any = !parts.empty();
      if (any && !error_) action(parts);
    });
    return any;
  }

  File &file_;
  const Lined &lined_;
  FirstError error_;
};

/// The fields of a list that are written together: their schedule and its source, which are made when the choice of the
/// strategy needs them or they move.
class PreparedList final : public WritingInGate {
 public:
  explicit PreparedList(const AskedFields &fields) : fields_(fields), rows_(fields.file(), fields.list.mine) {}

  Strategy strategy() {
    const RunTable *const table = fields_.table.get();
    const auto long_stretches = [table] { return table != nullptr && table->long_lines.has_value(); };
    const auto fills = [table] { return table != nullptr && table->plan->fills(); };
    const auto fits_gate = [this] {
      line_up();
      writer_ = writer_in_gate(fields_.file(), *lined_->schedule);
      return writer_.has_value();
    };
    Facts facts = writing_facts(fields_.file(), -1);
    facts.form = Facts::Form::list;
    facts.rounds = table == nullptr ? 1 : table->plan->rounds();
    facts.fills = LazyFact::by(fills);
    facts.long_stretches = LazyFact::by(long_stretches);
    facts.fits_gate = LazyFact::by(fits_gate);
    return writing_strategy(facts);
  }

  RequestRows<PackRow> &rows() { return rows_; }
  const WriterInGate &writer() const { return *writer_; }
  /// Collective. Returns this rank's error.
  std::optional<Error> write_in_rounds();

  // In a gate.

  /// As RoundInGate.
  void place();
  RoundInGate &round() override { return *round_; }
  bool has_range_errors() const override { return rows_.any_range_errors(); }
  void end(bool is_written) override {
    round_->end();
    if (!is_written) return;
    count_writing(fields_.file(), Strategy::in_gate);
    rows_.count_range_errors();
    fields_.file().ledger.touch(slabs_of(fields_));
  }

 private:
  void line_up() {
    if (lined_) return;
    if (const RunTable *const table = fields_.table.get()) {
      lined_ = by_runs(*table, 0);
      source_ = std::make_unique<RunSource>(*table, rows_);
      return;
    }
    plan_.emplace(line_plan(fields_.file(), fields_.bands, Direction::write));
    claims_.emplace(fields_, *plan_);
    lined_ = by_claims(*plan_);
    source_ = std::make_unique<RequestSource>(*claims_, *plan_, rows_);
  }

  const AskedFields &fields_;
  RequestRows<PackRow> rows_;
  std::optional<CombinedPlan> plan_;  // where there is no table
  std::optional<OwnClaims> claims_;   // the same
  std::optional<Lined> lined_;
  std::unique_ptr<Source> source_;
  std::optional<WriterInGate> writer_;
  std::optional<RoundInGate> round_;
};

void PreparedList::place() {
  const auto write = [this](const Exchange &exchange) {
    File &file = fields_.file();
    Parts parts(file, *lined_);
    parts.write(exchange, 0, nullptr);
    if (parts.error()) throw Error(*parts.error()).in_file(file.path());
    file.ledger.touch(slabs_of(fields_));
  };
  round_.emplace(RoundInGate::Job{.file = fields_.file(),
                                  .variable = -1,
                                  .schedule = *lined_->schedule,
                                  .source = *source_,
                                  .doing = fields_.list.call,
                                  .writer = *writer_,
                                  .write = write});
}

std::optional<Error> PreparedList::write_in_rounds() {
  Context &context = fields_.file().context();
  line_up();
  Parts parts(fields_.file(), *lined_);
  const auto left = caught(context.rank(), [&] {
    std::vector<std::unique_ptr<Schedule>> schedule;
    schedule.push_back(std::move(lined_->schedule));
    write_rounds({.file = fields_.file(),
                  .variable = -1,
                  .doing = fields_.list.call,
                  .for_whom = "the nodes that take its data",
                  .stages = std::move(schedule),
                  .source = *source_,
                  .sink = parts});
  });
  if (left) context.node.give_up(*left);  // this rank has left the rounds: no rank must wait for it
  return fields_.file().located(-1, parts.error());
}

std::optional<Error> read_lined(const AskedFields &fields, const Lined &lined, Target &target) {
  Context &context = fields.file().context();
  Parts parts(fields.file(), lined);
  const auto left = caught(context.rank(), [&] {
    read_rounds({.file = fields.file(),
                 .doing = fields.list.call,
                 .schedule = *lined.schedule,
                 .read = [&](int sink, int round, std::byte *slice) { return parts.read(sink, round, slice); },
                 .target = target});
  });
  if (left) context.node.give_up(*left);  // this rank has left the rounds: no rank must wait for it
  return parts.error();
}

/// Writes all fields at once, and agrees on the outcome: an error of a writer fails the file, and is thrown on every
/// rank.
void write_list(const AskedFields &fields, PreparedList &list, Strategy strategy) {
  File &file = fields.file();
  if (strategy == Strategy::own_stretches) return write_own_lines(fields, list.rows());
  const std::string end = "end of " + fields.list.call;
  if (strategy == Strategy::in_gate) {
    list.place();
    RoundInGate &round = list.round();
    or_fail(file, [&] {
      const auto failed = file.context().agree_and_do(end, round.error(), round.action());
      round.end();
      if (failed) throw Error(*failed);
    });
    return list.rows().count_range_errors();
  }
  const auto error = list.write_in_rounds();
  list.rows().count_range_errors();
  or_fail(file, [&] { file.context().agree(end, error); });
}

std::optional<Error> read_through_readers(const AskedFields &fields, RequestRows<UnpackRow> &rows) {
  if (const RunTable *const table = fields.table.get()) {
    constexpr int64_t widest_gap = 4 << 10;  // the price of a system call
    RunTarget target(*table, rows);
    return read_lined(fields, by_runs(*table, widest_gap), target);
  }
  const CombinedPlan plan = line_plan(fields.file(), fields.bands, Direction::read);
  const OwnClaims claims(fields, plan);
  RequestTarget target(claims, plan, rows);
  return read_lined(fields, by_claims(plan), target);
}

/// Of this rank's requests. Throws its error.
void return_to_devices(const AskedFields &fields) {
  for (const Request *each : fields.list.mine)
    name_errors(fields.file(), each->variable, [&] { return_to_device(*each); });
}

}  // namespace

std::vector<WrittenSlab> slabs_of(const AskedFields &fields) {
  std::vector<WrittenSlab> slabs;
  for (const Band &band : fields.bands)
    for (int64_t record = 0; record < band.records; ++record)
      slabs.push_back({band.variable, band.first_record + record});
  return slabs;
}

void write_fields(const AskedFields &fields) {
  File &file = fields.file();
  Context &context = file.context();
  PhaseTimer timer(context.metrics, Phase::write, subject_of(file));
  PreparedList list(fields);
  const std::vector<WrittenSlab> slabs = slabs_of(fields);
  const Strategy strategy = list.strategy();
  count_writing(file, strategy);
  if (strategy == Strategy::servers || strategy == Strategy::field_by_field) return write_each(fields, list.rows());
  delivery_of(file).begin(slabs, WriterAssignment::stretches);
  write_list(fields, list, strategy);
  file.ledger.touch(slabs);
}

std::unique_ptr<WritingInGate> in_gate(const AskedFields &fields) {
  auto list = std::make_unique<PreparedList>(fields);
  if (list->strategy() != Strategy::in_gate || list->writer().rank != owner_rank) return nullptr;
  list->place();
  return list;
}

ReadOutcome read_fields(const AskedFields &fields) {
  File &file = fields.file();
  delivery_of(file).settle();
  Context &context = file.context();
  PhaseTimer timer(context.metrics, Phase::read, subject_of(file));
  RequestRows<UnpackRow> rows(file, fields.list.mine);
  Facts facts = reading_facts(file);
  facts.form = Facts::Form::list;
  const Strategy strategy = reading_strategy(facts);
  count_reading(file, strategy);
  std::optional<Error> error;
  if (strategy == Strategy::servers || strategy == Strategy::field_by_field)
    error = read_each(fields, rows);
  else if (strategy == Strategy::two_phase)
    error = read_through_readers(fields, rows);
  else
    error =
        caught(context.rank(), [&] { fields.table != nullptr ? read_own_runs(fields, rows) : read_own(fields, rows); });
  if (!error) error = caught(context.rank(), [&] { return_to_devices(fields); });
  rows.count_range_errors();
  std::vector<std::optional<Error>> errors = rows.errors();
  const bool mine = std::any_of(errors.begin(), errors.end(), [](const auto &each) { return each.has_value(); });
  const Any anywhere = context.agree("end of " + fields.list.call, file.located(-1, error), Any(mine));
  return {std::move(errors), anywhere};
}

}  // namespace sv
