#include "engine/durability.hpp"

#include <algorithm>

#include "base/first_error.hpp"
#include "base/joined.hpp"
#include "delivery/file_delivery.hpp"
#include "file/divided.hpp"
#include "file/home.hpp"

namespace sv {

/// A store without such a job synchronises itself, within the call.
bool counts_behind(const File &file) {
  return syncs_behind(file) ||
         (delivery_of(file).is_asynchronous() && (file.home().places_here() || !syncs_commits(file)));
}

bool syncs_commits(const File &file) {
  return file.settings().durability == Durability::on_disk || file.home().owners.surroundings.late;
}

bool syncs_behind(const File &file) {
  return file.home().places_here() && (file.settings().durability == Durability::ordered ||
                                       (syncs_commits(file) && delivery_of(file).is_asynchronous()));
}

bool syncs_commit(const File &file, bool last) {
  return syncs_commits(file) || syncs_behind(file) || file.ledger.replaces_committed() ||
         (file.settings().durability == Durability::ordered && last);
}

void sync_attached(File &file) {
  if (file.home().handle.is_attached()) file.home().store().sync();
}

void sync_name(File &file) {
  if (file.home().handle.is_attached() && file.home().is_owner()) file.home().store().sync_name();
}

void be_durable(File &file, bool durable) {
  Home &home = file.home();
  if (home.handle.is_attached() || home.is_owner()) home.handle.store().be_durable(durable);
}

void count(File &file, int64_t records) {
  OnDisk &on_disk = file.on_disk;
  file.context().disk.syncer().check(on_disk.job());
  if (records < 0 || !file.home().is_owner()) return;
  delivery_of(file).with_store([records](Store &store) {
    store.be_durable(false);
    store.commit(records);
  });
  if (!on_disk.is_name_asked()) on_disk.job() = nullptr;  // the next one puts the name on the disk, too
  on_disk.ask_for_name();
}

std::shared_ptr<SyncJob> counted(File &file, int64_t synced, int64_t number) {
  OnDisk &on_disk = file.on_disk;
  Home &home = file.home();
  on_disk.counted(synced, number);
  if (!home.handle.is_attached()) return nullptr;
  if (home.places_here())  // a library counts by itself
    delivery_of(file).with_store([records = file.ledger.pending_records()](Store &store) { store.admit(records); });
  if (!syncs_behind(file)) return nullptr;
  std::shared_ptr<SyncJob> &job = on_disk.job();
  if (job == nullptr) {
    job = std::make_shared<SyncJob>();
    home.handle.store().duplicate(job->files);
    if (on_disk.is_name_asked() && home.is_owner()) job->name = file.place();
  }
  return job;
}

void finish_syncing(File &file) { file.context().disk.syncer().finish(file.on_disk.job()); }

/// An abandoned file that never had a name is gone, and its error was reported. For a served one, its servers report.
void leave_to_be_synced(File &file) {
  const bool is_gone = file.ledger.failed() && file.settings().kind == Kind::published;
  if (file.mode != Mode::data || !file.home().writes_here() || is_gone) file.on_disk.is_complete();
  if (file.on_disk.durable_steps() == INT64_MAX || !file.home().handle.wrote()) return;
  UnsyncedFiles &unsynced = file.context().disk.unsynced_files();
  for (const auto &[path, names_it] : written_files(file, file.home().pieces(0))) unsynced.remember(path, names_it);
}

std::string with_records(const File &file) {
  return joined({" '", file.path(), "' ", Digits(file.ledger.pending_records()), " records"});
}

void step(File &file, const std::string &call, const std::function<void()> &action) {
  agree(file, call + with_records(file), -1, action);
}

void put_on_disk(File &file) {
  if (file.on_disk.durable_steps() == INT64_MAX) return;
  or_fail(file, [&] {
    step(file, "sv_flush, synchronising", [&] { sync_attached(file); });
    step(file, "sv_flush, synchronising the name of", [&] { sync_name(file); });
  });
  file.on_disk.is_complete();
}

void put_closed_on_disk(Context &context) {
  Disk &disk = context.disk;
  context.agree("sv_flush, closed files synchronised", [&] { disk.unsynced_files().sync(context.node.progress()); });
  context.agree("sv_flush, the names of closed files", [&] { disk.unsynced_files().sync_names(); });
  disk.synchronised();
  for (const auto &file : context.files)  // those that a stop has closed
    if (file->ledger.is_closed()) file->on_disk.is_complete();
}

void put_on_disk(Context &context) {
  FirstError first(context.rank());
  for (const auto &file : context.files) {
    if (file->ledger.is_closed()) continue;
    if (file->ledger.failed())
      first.note(file->ledger.failure());
    else if (file->mode == Mode::data && file->home().writes_here())
      first.attempt([&] { put_on_disk(*file); });
  }
  first.attempt([&] { put_closed_on_disk(context); });
  first.check();
  const int64_t steps = context.disk.steps_ended(), durable = durable_steps(context);
  if (durable < steps)
    throw Error(Status::io,
                "only " + std::to_string(durable) + " of " + std::to_string(steps) + " steps are on the disk",
                "An earlier message names the file that could not be synchronised");
}

int64_t durable_steps(const Context &context) {
  const Disk &disk = context.disk;
  int64_t steps = std::min(disk.steps_ended(), disk.released_steps());
  for (const auto *files : {&context.closing, &context.files})
    for (const auto &file : *files) steps = std::min(steps, file->on_disk.durable_steps());
  return context.servers != nullptr ? std::min(steps, disk.served_steps()) : steps;
}

}  // namespace sv
