#include "engine/commit.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "base/first_error.hpp"
#include "delivery/background_writer.hpp"
#include "delivery/file_delivery.hpp"
#include "engine/durability.hpp"
#include "engine/recorded.hpp"
#include "file/file_trace.hpp"
#include "file/servers.hpp"
#include "model/filling.hpp"
#include "transfer/alone.hpp"
#include "transfer/own_ranges.hpp"

namespace sv {

namespace {

/// The unwritten parts that must be filled, the same on every rank.
struct Unput {
  std::vector<std::pair<int, int64_t>> slabs;
  std::vector<std::pair<int64_t, int64_t>>
      records;  // from one to before the other, all of which are to be filled whole
  bool is_empty() const { return slabs.empty() && records.empty(); }
};

/// The slabs that are about to be put, ordered by record and variable.
class Coming {
 public:
  Coming(const File &file, std::span<const WrittenSlab> slabs) {
    slabs_.reserve(slabs.size());
    for (const WrittenSlab &each : slabs)
      slabs_.emplace_back(file.variable(each.variable).has_records ? each.record : -1, each.variable);
    std::ranges::sort(slabs_);
  }
  int64_t records() const { return slabs_.empty() ? 0 : slabs_.back().first + 1; }
  bool has(int variable, int64_t record) const {
    return std::ranges::binary_search(slabs_, std::pair(record, variable));
  }
  /// The first of their records from this one on.
  int64_t next_record(int64_t record) const {
    const auto found = std::ranges::lower_bound(slabs_, std::pair(record, 0));
    return found == slabs_.end() ? INT64_MAX : found->first;
  }

 private:
  std::vector<std::pair<int64_t, int>> slabs_;
};

/// A growing file is readable from its first commit on, so its fixed variables are defined from then on. `more`: are
/// about to be put.
Unput unput_of(const File &file, bool fixed_too, std::span<const WrittenSlab> more = {}) {
  Unput unput;
  if (!file.settings().fill) return unput;
  const Schema &schema = file.schema();
  const Coming coming(file, more);
  const int variables = static_cast<int>(schema.variables.size());
  const auto is_missing = [&](int v, int64_t record) {
    return is_filled(file.variable(v)) && !file.ledger.touched(v, record) && !coming.has(v, record);
  };
  bool any_records = false;
  for (int v = 0; v < variables; ++v) {
    const bool has_records = file.variable(v).has_records;
    any_records |= has_records;
    if (!has_records && fixed_too && is_missing(v, -1)) unput.slabs.emplace_back(v, -1);
  }
  const int64_t records = any_records ? std::max(file.ledger.pending_records(), coming.records()) : 0;
  for (int64_t record = schema.records; record < records; ++record) {
    const int64_t next = std::min({records, file.ledger.next_touched(record), coming.next_record(record)});
    if (next > record) unput.records.emplace_back(record, next);
    record = next;
    if (record == records) break;
    for (int v = 0; v < variables; ++v)
      if (file.variable(v).has_records && is_missing(v, record)) unput.slabs.emplace_back(v, record);
  }
  return unput;
}

/// Whether a thread that writes values writes their count behind them: of a set, each those of its pieces.
bool counts_in_turn(const File &file) {
  return !syncs_behind(file) && file.home().owners.of_ranges == std::vector{owner_rank};
}

}  // namespace

bool all_is_put(const File &file, bool last, std::span<const WrittenSlab> more) {
  return unput_of(file, last || file.settings().kind == Kind::growing, more).is_empty();
}

void complete_data(File &file, const std::string &call, bool last, const std::function<void()> &finally) {
  const bool fixed_too = last || file.settings().kind == Kind::growing;
  const Unput unput = unput_of(file, fixed_too);
  const bool works = !unput.is_empty() || finally;
  // The puts have agreed on their own status; but not among servers, which write after the calls. If ranks call the
  // store together, each of them must know of a failure before the others make calls that would wait for it.
  const bool checks_first = file.served.check_before_commit && works && file.home().maker.kind().has_team;
  if (checks_first) step(file, call + ", the earlier data of", file.served.check_before_commit);
  if (works || file.served.check_before_commit)
    step(file, call + ", the data of", [&] {
      if (file.served.check_before_commit && !checks_first) file.served.check_before_commit();
      for (const auto &[variable, record] : unput.slabs) fill_slab(file, variable, record);
      for (const auto &[first, end] : unput.records) fill_records(file, first, end);
      if (finally) finally();
    });
  if (fixed_too && file.settings().fill) file.ledger.touch_fixed();
}

void end_commit(File &file) {
  file.ledger.committed();
  delivery_of(file).committed();
}

namespace {

/// Commits a step of a file whose count lags behind the writing or the disk, and counts records that are ready since.
/// `done`: the last request that all ranks have finished; `number`: the number of the new one. Returns the job that
/// this rank must synchronise.
std::shared_ptr<SyncJob> commit_behind(File &file, int64_t done, int64_t number) {
  delivery_of(file).forget(done);
  OnDisk &on_disk = file.on_disk;
  const int64_t step_number = file.context().disk.steps_ended();
  const bool uncommitted = file.ledger.has_uncommitted();
  // One thread writes the values, and then the count.
  const int64_t written = counts_in_turn(file) ? number : done;
  if (!uncommitted && on_disk.countable(written) < 0) {
    counted(file, written, number);  // perhaps nothing lags any more
    return nullptr;
  }
  or_fail(file, [&] {
    if (uncommitted) complete_data(file, "sv_end_step", false, nullptr);
    if (uncommitted) on_disk.lag(number, file.ledger.pending_records(), step_number);
    if (counts_in_turn(file)) return count(file, on_disk.countable(written));  // the error of its thread comes later
    step(file, "sv_end_step, the record count of", [&] { count(file, on_disk.countable(written)); });
  });
  auto job = counted(file, written, number);
  if (uncommitted && !syncs_behind(file)) on_disk.is_behind(step_number);
  end_commit(file);
  return job;
}

/// The state after a commit whose data are not on the disk.
void end_commit_in_memory(File &file) {
  end_commit(file);
  file.on_disk.forget();
  file.on_disk.is_behind(file.context().disk.steps_ended());
}

}  // namespace

void count_records(File &file) {
  name_errors(file, -1, [&] { file.home().store().commit(file.ledger.pending_records()); });
}

void prepare_count(File &file, const std::string &call, bool last) {
  const bool on_disk = syncs_commit(file, last);
  FileDelivery &delivery = delivery_of(file);
  const std::function<void()> unfinished = delivery.unfinished();
  const std::function<void()> on_the_disk = [&file, &unfinished] {
    if (unfinished) unfinished();
    finish_syncing(file);
    sync_attached(file);
    sync_name(file);
  };
  delivery.rest();
  be_durable(file, on_disk);
  complete_data(file, call, last, on_disk ? on_the_disk : unfinished);
}

void end_count(File &file, bool last) {
  if (!syncs_commit(file, last)) return end_commit_in_memory(file);
  end_commit(file);
  file.on_disk.caught_up();
}

void commit(File &file, const std::string &call, bool last) {
  if (delivery_of(file).commit()) {
    if (last || file.settings().kind == Kind::growing) file.ledger.touch_fixed();
    return end_commit(file);
  }
  or_fail(file, [&] {
    prepare_count(file, call, last);
    step(file, call + ", the record count of", [&] {
      if (file.home().is_owner()) count_records(file);
    });
  });
  end_count(file, last);
}

namespace {

bool lags(const File &file) { return file.on_disk.is_lagging() && !file.ledger.is_closed() && !file.ledger.failed(); }

}  // namespace

void catch_up(Context &context) {
  for (const auto &file : context.files)
    if (lags(*file)) commit(*file, "sv_flush", false);
}

void finish_behind(Context &context) {
  FirstError first(context.rank());
  for (const auto &file : context.files) {
    FileDelivery &delivery = delivery_of(*file);
    if (!delivery.is_asynchronous()) continue;
    const auto failed = caught(context.rank(), [&] {
      if (lags(*file)) commit(*file, "sv_end_step", false);
      delivery.settle();
    });
    if (!failed) continue;
    context.servers->forget_deferred_errors(*failed);
    first.note(failed);
  }
  // Also for other actions on stores than writing values.
  first.attempt([&] { context.agree("sv_end_step, written", [&] { await_writer(context); }); });
  first.check();
}

namespace {

/// Whether the owner may count the records of a file in the gate at the end of a step, and write recorded puts, if
/// there is nothing else to do. (Each file of a set has an owner of its own.)
bool may_end_in_gate(File &file) {
  if (file.ledger.failed() || file.ledger.is_closed() || file.alone() != nullptr) return false;
  return delivery_of(file).places_in_calls() && !counts_behind(file) && !file.served.check_before_commit &&
         !syncs_commit(file, false);
}

/// The values that ranks agree on at the end of a step.
struct StepVote {
  Any stops{};          // some rank was asked to stop
  Min<int64_t> done{};  // up to which request everything is written, on all ranks
  auto members() { return std::tie(stops, done); }
};

/// Passes the gate where a step of one file ends.
RecordedInGate::Outcome end_in_gate(File &file, const std::string &call, const StepVote &mine) {
  static_assert(word_count<StepVote> == RecordedInGate::own_values);
  be_durable(file, false);
  const auto is_all = [&file](std::span<const WrittenSlab> slabs) { return all_is_put(file, false, slabs); };
  const auto then = [&file] { count_records(file); };
  RecordedInGate recorded(file, is_all, then);
  Agreed votes = words_with(mine);
  recorded.write_to(votes);
  return recorded.end(file.context().agree_and_do(call, std::nullopt, recorded.action(), votes));
}

}  // namespace

StepEnd commit_step(Context &context, const std::vector<File *> &files, bool stop) {
  std::string call = "sv_end_step";
  if (context.names_calls())
    for (const File *file : files) call += with_records(*file);
  FirstError first;
  const StepVote mine{.stops = stop, .done = done_requests(context)};
  RecordedInGate::Outcome carried;
  if (files.size() == 1 && may_end_in_gate(*files.front()))
    carried = end_in_gate(*files.front(), call, mine);
  else
    context.agree(call, std::nullopt, mine);
  const auto agreed = context.gate.last<StepVote>();
  const int64_t number = context.disk.next_request(), done = std::min<int64_t>(agreed.done, number - 1);
  std::vector<std::shared_ptr<SyncJob>> jobs;
  for (File *file : files) {
    try {
      if (carried.failed) or_fail(*file, [&] { throw Error(*carried.failed); });
      if (carried.done) {
        end_commit_in_memory(*file);
        continue;
      }
      end_indep(*file);
      file->check_writable();  // the same on every rank: the error of the file
      first.note(complete_recorded(*file));
      if (!counts_behind(*file)) {
        commit(*file, "sv_end_step", false);
      } else if (auto job = commit_behind(*file, done, number)) {
        jobs.push_back(std::move(job));
      }
    } catch (const Error &failure) {
      if (context.servers != nullptr) context.servers->forget_deferred_errors(failure);
      first.note(failure);
    }
  }
  ask_writer(context, number, std::move(jobs));
  return {agreed.stops, done, first.error()};
}

void sync(File &file) {
  end_indep(file);
  agree(file, "sv_sync" + with_records(file), -1, [&] { file.check_writable(); });
  const auto complaint = complete_recorded(file);
  commit(file, "sv_sync", false);
  delivery_of(file).sync();
  if (complaint) throw Error(*complaint);
}

}  // namespace sv
