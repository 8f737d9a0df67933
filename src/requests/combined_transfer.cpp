#include "requests/fields_job.hpp"

#include <algorithm>
#include <functional>

#include "assemble/combined_schedule.hpp"
#include "assemble/run_schedule.hpp"
#include "file/home.hpp"
#include "requests/line_plan.hpp"
#include "requests/run_values.hpp"
#include "rounds/behind.hpp"
#include "rounds/file_trace.hpp"
#include "rounds/rounds.hpp"
#include "rounds/settle.hpp"

namespace sv {

namespace {

/// This rank's claims on the portions of a slice, with the requests behind them.
class OwnClaims {
 public:
  OwnClaims(const FieldsJob &job, const CombinedPlan &plan)
      : job_(job), plan_(plan), schedule_(plan), rank_(job.file.context().rank()) {}

  /// Calls visit(portion, request, piece).
  template <class Visit>
  void visit(int sink, int round, Visit &&visit) const {
    schedule_.for_claims({rank_, sink, round}, [&](const Portion &portion, const Claim &claim) {
      const Place &place = plan_.place_of(portion);
      const int request = job_.fields.own[static_cast<size_t>(place.band)].at(place.record, claim.order);
      const int64_t record = plan_.band_of(portion).first_record + place.record;
      visit(portion, request, piece_of(*job_.mine[static_cast<size_t>(request)], claim, record));
    });
  }
  int64_t bytes(int sink, int round) const { return schedule_.bytes_of(rank_, sink, round); }

 private:
  const FieldsJob &job_;
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

/// The fields of a job, lined up.
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

/// Moves the slices of this rank at once, and keeps what it fails with while the rounds go on.
class Parts final : public Outlet {
 public:
  Parts(File &file, const Lined &lined) : file_(file), lined_(lined) {}

  void write(const Exchange &exchange, int round, const std::shared_ptr<void> &room) override {
    BehindFile *const later = room == nullptr ? nullptr : behind_of(file_);
    for (const int sink : exchange.own_sinks())
      move(sink, round, exchange.slice(sink, round), [&](auto &parts) {
        if (later != nullptr) return later->writing().write_parts(*later, std::move(parts), room);
        file_.home().store().write_many(parts);
      });
  }
  /// False where nothing is to be read.
  bool read(int sink, int round, std::byte *slice) {
    return move(sink, round, slice, [&](const auto &parts) { file_.home().store().read_many(parts); });
  }
  std::optional<Error> error;

 private:
  /// False where nothing is to be moved.
  template <class Action>
  bool move(int sink, int round, std::byte *slice, Action &&action) {
    bool any = true;
    const auto failed = caught(file_.context().rank(), [&] {
      std::vector<SlabPart> parts = lined_.parts(sink, round, slice);
      any = !parts.empty();
      if (any && !error) action(parts);
    });
    if (failed && !error) error = failed;
    return any;
  }

  File &file_;
  const Lined &lined_;
};

/// Who may write all fields while the others wait.
std::optional<WriterInGate> writer_of_all(const File &file, const Schedule &schedule) {
  return file.home().places_here() ? writer_in_gate(file, schedule) : std::nullopt;
}

/// All fields at once, and agrees how that ended: what a writer fails with fails the file, and is thrown on every rank.
void write_lined(const FieldsJob &job, Lined lined, Source &source, RequestRows<PackRow> &rows) {
  Context &context = job.file.context();
  const std::string end = "end of " + job.call;
  Parts parts(job.file, lined);
  const auto located = [&] {
    if (parts.error) parts.error->in_file(job.file.path());
    return parts.error;
  };
  if (const auto writer = writer_of_all(job.file, *lined.schedule)) {
    const RoundInGate round{.file = job.file,
                            .variable = -1,
                            .schedule = *lined.schedule,
                            .source = source,
                            .call = end,
                            .writer = *writer,
                            .write = [&](const Exchange &exchange) {
                              parts.write(exchange, 0, nullptr);
                              if (const auto error = located()) throw Error(*error);
                            }};
    or_fail(job.file, [&] {
      if (const auto failed = write_in_gate(round)) throw Error(*failed);
    });
    return rows.count_misfits();
  }
  const auto left = caught(context.rank(), [&] {
    std::vector<std::unique_ptr<Schedule>> schedule;
    schedule.push_back(std::move(lined.schedule));
    write_rounds({.file = job.file,
                  .variable = -1,
                  .doing = job.call,
                  .for_whom = "the nodes that take its data",
                  .stages = std::move(schedule),
                  .source = source,
                  .outlet = parts});
  });
  if (left) context.node.give_up(*left);  // this rank has left the rounds: nobody must wait for it
  rows.count_misfits();
  or_fail(job.file, [&] { context.agree(end, located()); });
}

std::optional<Error> read_lined(const FieldsJob &job, const Lined &lined, Target &target) {
  Context &context = job.file.context();
  Parts parts(job.file, lined);
  const auto left = caught(context.rank(), [&] {
    read_rounds({.file = job.file,
                 .doing = job.call,
                 .schedule = *lined.schedule,
                 .read = [&](int sink, int round, std::byte *slice) { return parts.read(sink, round, slice); },
                 .target = target});
  });
  if (left) context.node.give_up(*left);  // this rank has left the rounds: nobody must wait for it
  return parts.error;
}

void write_at_once(const FieldsJob &job, RequestRows<PackRow> &rows) {
  if (writes_own_lines(job)) return write_own_lines(job, rows);
  if (const RunTable *const table = job.fields.table.get()) {
    RunSource source(*table, rows);
    return write_lined(job, by_runs(*table, 0), source, rows);
  }
  const CombinedPlan plan = line_plan(job.file, job.fields.bands, Direction::write);
  const OwnClaims claims(job, plan);
  RequestSource source(claims, plan, rows);
  write_lined(job, by_claims(plan), source, rows);
}

std::optional<Error> read_through_readers(const FieldsJob &job, RequestRows<UnpackRow> &rows) {
  if (const RunTable *const table = job.fields.table.get()) {
    constexpr int64_t widest_gap = 4 << 10;  // what a system call costs
    RunTarget target(*table, rows);
    return read_lined(job, by_runs(*table, widest_gap), target);
  }
  const CombinedPlan plan = line_plan(job.file, job.fields.bands, Direction::read);
  const OwnClaims claims(job, plan);
  RequestTarget target(claims, plan, rows);
  return read_lined(job, by_claims(plan), target);
}

/// Puts that all ranks make alike, up to where they move.
struct Prepared {
  explicit Prepared(const FieldsJob &job)
      : plan(line_plan(job.file, job.fields.bands, Direction::write)),
        claims(job, plan),
        rows(job.file, job.mine),
        source(claims, plan, rows),
        lined(by_claims(plan)) {}

  const CombinedPlan plan;
  const OwnClaims claims;
  RequestRows<PackRow> rows;
  RequestSource source;
  const Lined lined;
};

}  // namespace

std::vector<WrittenSlab> slabs_of(const AskedFields &fields) {
  std::vector<WrittenSlab> slabs;
  for (const Band &band : fields.bands)
    for (int64_t record = 0; record < band.records; ++record)
      slabs.push_back({band.variable, band.first_record + record});
  return slabs;
}

void write_fields(const FieldsJob &job) {
  File &file = job.file;
  Context &context = file.context();
  PhaseTimer timer(context.metrics, Phase::write, subject_of(file));
  RequestRows<PackRow> rows(file, job.mine);
  if (!file.home().combines()) return write_each(job, rows);
  const std::vector<WrittenSlab> slabs = slabs_of(job.fields);
  if (BehindFile *const later = behind_of(file)) later->begin(slabs, Dealing::stretches);
  write_at_once(job, rows);
  for (const WrittenSlab &slab : slabs) file.ledger.touch(slab.variable, slab.record);
}

bool write_fields_in_gate(const FieldsJob &job, const PassWithValues &pass) {
  File &file = job.file;
  std::unique_ptr<Prepared> prepared;
  const auto failed = caught(file.context().rank(), [&] { prepared = std::make_unique<Prepared>(job); });
  if (failed) return false;
  const auto writer = writer_of_all(file, *prepared->lined.schedule);
  if (!writer || writer->rank != owner_rank) return false;
  Parts parts(file, prepared->lined);
  const std::vector<WrittenSlab> slabs = slabs_of(job.fields);
  const auto touch = [&] {
    for (const WrittenSlab &slab : slabs) file.ledger.touch(slab.variable, slab.record);
  };
  bool done = false;
  const std::function<void(const Exchange &)> write = [&](const Exchange &exchange) {
    parts.write(exchange, 0, nullptr);
    if (parts.error) throw Error(parts.error->in_file(file.path()));
    touch();
  };
  write_in_gate({.file = file,
                 .variable = -1,
                 .schedule = *prepared->lined.schedule,
                 .source = prepared->source,
                 .call = job.call,
                 .writer = *writer,
                 .write = write,
                 .pass = [&](const std::optional<Error> &error, const Deed &deed) -> std::optional<Error> {
                   done = pass(error, prepared->rows.any_misfits(), deed);
                   return std::nullopt;  // who passes the gate knows
                 }});
  if (!done) return true;
  prepared->rows.count_misfits();
  touch();
  return true;
}

ReadOutcome read_fields(const FieldsJob &job) {
  File &file = job.file;
  settle(file);
  Context &context = file.context();
  PhaseTimer timer(context.metrics, Phase::read, subject_of(file));
  RequestRows<UnpackRow> rows(file, job.mine);
  std::optional<Error> error;
  if (!file.home().combines())
    error = read_each(job, rows);
  else if (file.home().reads_through_writers())
    error = read_through_readers(job, rows);
  else
    error =
        caught(context.rank(), [&] { job.fields.table != nullptr ? read_own_runs(job, rows) : read_own(job, rows); });
  rows.count_misfits();
  std::vector<std::optional<Error>> errors = rows.errors();
  const bool mine = std::any_of(errors.begin(), errors.end(), [](const auto &each) { return each.has_value(); });
  const Agreed told = context.agree("end of " + job.call, file.located(-1, error), {mine ? 1 : 0});
  return {std::move(errors), told[0] != 0};
}

}  // namespace sv
