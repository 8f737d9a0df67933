#include "engine/commit.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "engine/combine.hpp"
#include "engine/durability.hpp"
#include "file/servers.hpp"
#include "requests/alone.hpp"
#include "rounds/behind.hpp"
#include "rounds/carrier.hpp"
#include "rounds/file_trace.hpp"
#include "rounds/own_ranges.hpp"

namespace sv {

namespace {

/// The slabs that nobody has put and that are to be filled, the same on every rank. A growing file is readable from its
/// first commit on, so its fixed variables are defined from then on. `more`: are about to be put.
std::vector<std::pair<int, int64_t>> untouched_slabs(const File &file, bool fixed_too,
                                                     const std::vector<WrittenSlab> &more = {}) {
  std::vector<std::pair<int, int64_t>> slabs;
  if (!file.settings().fill) return slabs;
  const Schema &schema = file.schema();
  std::set<std::pair<int, int64_t>> comes;
  int64_t records = file.ledger.pending_records();
  for (const WrittenSlab &each : more) {
    const bool has_records = schema.variables[static_cast<size_t>(each.variable)].has_records;
    comes.insert({each.variable, has_records ? each.record : -1});
    if (has_records) records = std::max(records, each.record + 1);
  }
  for (int v = 0; v < static_cast<int>(schema.variables.size()); ++v) {
    const bool has_records = schema.variables[static_cast<size_t>(v)].has_records;
    if (!has_records && fixed_too && !file.ledger.touched(v, 0)) slabs.emplace_back(v, -1);
    for (int64_t record = schema.records; has_records && record < records; ++record)
      if (!file.ledger.touched(v, record)) slabs.emplace_back(v, record);
  }
  std::erase_if(slabs, [&comes](const auto &each) { return comes.count(each) > 0; });
  return slabs;
}

/// Whether a thread that writes values writes their count behind them: of a set, each those of its pieces.
bool counts_in_turn(const File &file) {
  return !syncs_behind(file) && file.home().owners.of_ranges == std::vector{owner_rank};
}

}  // namespace

bool all_is_put(const File &file, bool last, const std::vector<WrittenSlab> &more) {
  return untouched_slabs(file, last || file.settings().kind == Kind::growing, more).empty();
}

void complete_data(File &file, const std::string &call, bool last, const std::function<void()> &finally) {
  const bool fixed_too = last || file.settings().kind == Kind::growing;
  const auto unfilled = untouched_slabs(file, fixed_too);
  // What was put, its puts have agreed upon; but not among servers, which write beside their calls.
  if (!unfilled.empty() || finally || file.check_before_commit)
    step(file, call + ", the data of", [&] {
      if (file.check_before_commit) file.check_before_commit();
      for (const auto &[variable, record] : unfilled) fill_slab(file, variable, record);
      if (finally) finally();
    });
  if (fixed_too && file.settings().fill) file.ledger.touch_fixed();
}

void end_commit(File &file) {
  file.ledger.committed();
  // What a thread is writing now is told when the file is closed.
  if (file.trace != nullptr && behind_of(file) == nullptr) file.trace->committed();
}

namespace {

/// Commits a step of a file whose count lags behind the writing or the disk, and counts what has come there since.
/// `done`: up to which request everything has, on all ranks; `number`: of the one that comes now. Returns what this
/// rank must synchronise.
std::shared_ptr<SyncJob> commit_behind(File &file, int64_t done, int64_t number) {
  if (BehindFile *const later = behind_of(file)) later->forget(done);
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
    if (counts_in_turn(file)) return count(file, on_disk.countable(written));  // what its thread fails with comes later
    step(file, "sv_end_step, the record count of", [&] { count(file, on_disk.countable(written)); });
  });
  auto job = counted(file, written, number);
  if (uncommitted && !syncs_behind(file)) on_disk.is_behind(step_number);
  end_commit(file);
  return job;
}

/// What a commit leaves behind whose data are not on the disk.
void end_commit_in_memory(File &file) {
  end_commit(file);
  file.on_disk.forget();
  file.on_disk.is_behind(file.context().disk.steps_ended());
}

}  // namespace

void count_records(File &file) {
  const auto failed = caught(file.context().rank(), [&] { file.home().store().commit(file.ledger.pending_records()); });
  if (failed) throw *file.located(-1, failed);
}

void prepare_count(File &file, const std::string &call, bool last) {
  const bool on_disk = syncs_commit(file, last);
  BehindFile *const later = behind_of(file);
  const std::function<void()> finally = [&file, later, on_disk] {
    rest(file);
    const auto failed = later != nullptr ? later->late() : std::nullopt;
    if (failed) throw Error(*failed);
    if (!on_disk) return;
    finish_syncing(file);
    sync_attached(file);
    sync_name(file);
  };
  rest(file);
  be_durable(file, on_disk);
  complete_data(file, call, last, on_disk || later != nullptr ? finally : nullptr);
}

void end_count(File &file, bool last) {
  if (!syncs_commit(file, last)) return end_commit_in_memory(file);
  end_commit(file);
  file.on_disk.caught_up();
}

void commit(File &file, const std::string &call, bool last) {
  if (Carrier *const carrier = file.home().carrier()) {
    if (file.ledger.has_uncommitted()) carrier->commits();
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

std::optional<Error> finish_behind(Context &context) {
  Behind *const behind = context.servers->behind();
  std::optional<Error> first;
  for (const auto &file : context.files) {
    BehindFile *const later = behind_of(*file);
    if (later == nullptr) continue;
    const auto failed = caught(context.rank(), [&] {
      if (lags(*file)) commit(*file, "sv_end_step", false);
      later->settle();
    });
    if (!failed) continue;
    context.servers->forget_news(*failed);
    if (!first) first = failed;
  }
  // What is done to stores besides writing values, too.
  const auto failed = caught(context.rank(), [&] { context.agree("sv_end_step, written", [&] { behind->rest(); }); });
  return first ? first : failed;
}

namespace {

/// Whether the owner may count the records of a file in the gate where a step ends, and write what was recorded, if
/// there is nothing else to do. (Each file of a set has an owner of its own.)
bool may_end_in_gate(File &file) {
  if (file.mode != Mode::data || file.ledger.failed() || file.ledger.is_closed() || file.alone) return false;
  if (!file.home().places_here() || !file.home().pieces(0).empty() || counts_behind(file) || behind_of(file) != nullptr)
    return false;
  return !file.check_before_commit && !syncs_commit(file, false);
}

/// Passes the gate where a step of one file ends.
Carried end_in_gate(File &file, const std::string &call, const Agreed &told) {
  be_durable(file, false);
  const auto pass = [&](Agreed all, const Deed &deed) {
    std::copy_n(told.begin(), CarryingGate::own_values, all.begin());
    return file.context().agree_and_do(call, std::nullopt, deed, all);
  };
  const auto is_all = [&file](const std::vector<WrittenSlab> &slabs) { return all_is_put(file, false, slabs); };
  return carry_recorded(file, {pass, is_all, [&file] { count_records(file); }});
}

}  // namespace

StepEnd commit_step(Context &context, const std::vector<File *> &files, bool stop) {
  std::string call = "sv_end_step";
  if (context.names_calls())
    for (const File *file : files) call += with_records(*file);
  std::optional<Error> first;
  Behind *const behind = context.servers == nullptr ? nullptr : context.servers->behind();
  const int64_t mine = behind == nullptr ? context.disk.syncer().done() : behind->done();
  const Agreed told{stop ? 1 : 0, -mine};
  Carried carried;
  if (files.size() == 1 && may_end_in_gate(*files.front()))
    carried = end_in_gate(*files.front(), call, told);
  else
    context.agree(call, std::nullopt, told);
  const Agreed agreed = context.gate.last();
  const bool stops = agreed[0] != 0;
  const int64_t number = context.disk.next_request(), done = std::min(-agreed[1], number - 1);
  std::vector<std::shared_ptr<SyncJob>> jobs;
  for (File *file : files) {
    try {
      if (carried.failed) or_fail(*file, [&] { throw Error(*carried.failed); });
      if (carried.done) {
        end_commit_in_memory(*file);
        continue;
      }
      end_alone(*file);
      file->check_writable();  // the same on every rank: what a file failed with
      const auto complaint = complete_recorded(*file);
      if (complaint && !first) first = complaint;
      if (!counts_behind(*file)) {
        commit(*file, "sv_end_step", false);
      } else if (auto job = commit_behind(*file, done, number)) {
        jobs.push_back(std::move(job));
      }
    } catch (const Error &failure) {
      if (context.servers != nullptr) context.servers->forget_news(failure);
      if (!first) first = failure;
    }
  }
  if (behind != nullptr)
    behind->ask(number, std::move(jobs));
  else
    context.disk.syncer().ask(number, std::move(jobs));
  return {stops, done, first};
}

void sync(File &file) {
  end_alone(file);
  agree(file, "sv_sync" + with_records(file), -1, [&] { file.check_writable(); });
  const auto complaint = complete_recorded(file);
  commit(file, "sv_sync", false);
  if (Carrier *const carrier = file.home().carrier()) carrier->sync();
  if (complaint) throw Error(*complaint);
}

}  // namespace sv
