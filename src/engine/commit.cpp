#include "engine/commit.hpp"

#include <algorithm>
#include <set>

#include "engine/client.hpp"
#include "engine/combine.hpp"
#include "engine/owners.hpp"

namespace sv {

namespace {

/// The slabs that nobody has put and that are to be filled, the same on every rank. A growing file is readable from its
/// first commit on, so its fixed variables are defined from then on.
std::vector<std::pair<int, int64_t>> untouched_slabs(const File &file, bool fixed_too) {
  std::vector<std::pair<int, int64_t>> slabs;
  if (!file.settings().fill) return slabs;
  const Schema &schema = file.schema();
  for (int v = 0; v < static_cast<int>(schema.variables.size()); ++v) {
    const bool has_records = schema.variables[static_cast<size_t>(v)].has_records;
    if (!has_records && fixed_too && !file.touched(v, 0)) slabs.emplace_back(v, -1);
    for (int64_t record = schema.records; has_records && record < file.pending_records(); ++record)
      if (!file.touched(v, record)) slabs.emplace_back(v, record);
  }
  return slabs;
}

std::string name_of(const File &file) {
  return " '" + file.path() + "' " + std::to_string(file.pending_records()) + " records";
}

using Action = std::function<void()>;

/// What was put is complete, in records that will count; then `finally`, where it is given.
void complete_data(File &file, const std::string &call, bool last, const Action &finally) {
  const bool fixed_too = last || file.settings().kind == Kind::growing;
  const auto unfilled = untouched_slabs(file, fixed_too);
  // What was put, its puts have agreed upon; but not among servers, which write beside their calls.
  if (!unfilled.empty() || finally || file.before_commit())
    step(file, call + ", the data of", [&] {
      if (file.before_commit()) file.before_commit()();
      for (const auto &[variable, record] : unfilled) fill_slab(file, variable, record);
      if (finally) finally();
    });
  if (fixed_too && file.settings().fill) file.touch_fixed();
}

/// Commits a step of a file whose count lags behind the disk, and counts what has come there since. `synced`: up to
/// which request everything is on the disk, on all ranks; `number`: of the one that comes now. Returns what this rank
/// must synchronise.
std::shared_ptr<SyncJob> commit_behind(File &file, int64_t synced, int64_t number) {
  const int64_t records = file.countable(synced);
  const bool uncommitted = file.has_uncommitted();
  if (!uncommitted && records < 0) {
    file.counted(synced, number);  // perhaps nothing lags any more
    return nullptr;
  }
  try {
    if (uncommitted) complete_data(file, "sv_end_step", false, nullptr);
    step(file, "sv_end_step, the record count of", [&] { file.count(records); });
  } catch (const Error &failure) {
    file.fail(failure);
    throw;
  }
  if (uncommitted) file.lag(number);
  auto job = file.counted(synced, number);
  file.committed();
  return job;
}

}  // namespace

void step(File &file, const std::string &call, const std::function<void()> &action) {
  Context &context = file.context();
  context.agree(call + name_of(file), file.located(-1, caught(context.rank(), action)));
}

void commit(File &file, const std::string &call, bool last) {
  Context &context = file.context();
  if (file.is_served()) {  // they commit
    if (file.has_uncommitted()) context.unsettle(file.path());
    if (last || file.settings().kind == Kind::growing) file.touch_fixed();
    return file.committed();
  }
  const bool on_disk = file.settings().durability == Durability::on_disk || file.counts_behind() ||
                       file.replaces_committed() || (file.is_ordered() && last);
  const Action synchronise = [&file] {
    file.finish_syncing();
    file.sync_attached();
    file.sync_name();
  };
  try {
    file.be_durable(on_disk);
    complete_data(file, call, last, on_disk ? synchronise : nullptr);
    step(file, call + ", the record count of", [&] {
      if (file.is_owner()) file.attached_store().commit(file.pending_records());
    });
  } catch (const Error &failure) {
    file.fail(failure);
    throw;
  }
  file.committed();
  on_disk ? file.caught_up() : file.leave_unsynced();
}

void define_fixed(File &file, const std::vector<int> &variables) {
  if (file.mode() != Mode::data || !file.settings().fill) return;
  std::set<int> unput;
  for (const int v : variables)
    if (!file.variable(v).has_records && !file.touched(v, 0)) unput.insert(v);
  if (unput.empty()) return;
  Context &context = file.context();
  try {
    if (file.is_served()) {  // they fill
      context.client()->define_fixed(file, {unput.begin(), unput.end()});
      file.prepare_reading();
    } else {
      for (const int v : unput)
        context.agree("the fill values of " + file.name_of(v),
                      file.located(v, caught(context.rank(), [&] { fill_slab(file, v, -1); })));
    }
  } catch (const Error &failure) {
    file.fail(failure);
    throw;
  }
  for (const int v : unput) file.touch(v, -1);
}

StepEnd commit_step(Context &context, const std::vector<File *> &files, bool stop) {
  std::string call = "sv_end_step";
  for (const File *file : files) call += name_of(*file);
  std::optional<Error> first;
  const Agreed agreed = context.agree(call, std::nullopt, {stop ? 1 : 0, -context.syncer().done()});
  const bool stops = agreed[0] != 0;
  const int64_t number = context.next_sync(), synced = std::min(-agreed[1], number - 1);
  std::vector<std::shared_ptr<SyncJob>> jobs;
  for (File *file : files) {
    try {
      file->check_writable();  // the same on every rank: what a file failed with
      const auto complaint = complete_recorded(*file);
      if (complaint && !first) first = complaint;
      if (!file->counts_behind()) {
        commit(*file, "sv_end_step", false);
      } else if (auto job = commit_behind(*file, synced, number)) {
        jobs.push_back(std::move(job));
      }
    } catch (const Error &failure) {
      context.forget_news(failure);
      if (!first) first = failure;
    }
  }
  context.syncer().ask(number, std::move(jobs));
  return {stops, first};
}

void sync(File &file) {
  file.context().agree("sv_sync" + name_of(file),
                       file.located(-1, caught(file.context().rank(), [&] { file.check_writable(); })));
  const auto complaint = complete_recorded(file);
  commit(file, "sv_sync", false);
  if (file.is_served()) {
    file.context().client()->tell(Command::What::sync, file);
    file.context().flush(Level::written);
  }
  if (complaint) throw Error(*complaint);
}

}  // namespace sv
