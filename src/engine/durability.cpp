// What is on the disk: bringing it there, and telling how many steps are (docs/adr/0008-commit.md). A file tells since
// when something of it is not; one that was closed is remembered by the context until somebody asks for the disk.
#include "engine/client.hpp"
#include "engine/commit.hpp"
#include "engine/context.hpp"
#include "engine/file.hpp"

namespace sv {

void File::sync_attached() {
  if (!attached_) return;
  store_->sync();
  rest();
}

void File::sync_name() {
  if (attached_ && is_owner()) store_->sync_name();
}

void File::be_durable(bool durable) {
  if (attached_ || is_owner()) store_->be_durable(durable);
}

void File::put_on_disk() {
  if (durable_steps_ == INT64_MAX) return;
  try {
    step(*this, "sv_flush, synchronising", [this] { sync_attached(); });
    step(*this, "sv_flush, synchronising the name of", [this] { sync_name(); });
  } catch (const Error &failure) {
    fail(failure);
    throw;
  }
  is_on_disk();
}

/// Of a file that is closed, or was abandoned with its committed records: who wrote it will synchronise it by its name.
/// An abandoned file that never had a name is gone, and its error was told.
void File::leave_to_be_synced() {
  const bool is_gone = failure_ != nullptr && settings_.kind == Kind::published;
  if (mode_ != Mode::data || is_served() || is_gone) durable_steps_ = INT64_MAX;  // of a served one, its servers tell
  if (durable_steps_ == INT64_MAX || !wrote_) return;
  UnsyncedFiles &unsynced = context_.unsynced_files();
  if (!is_set()) return unsynced.remember(path_, context_.rank() == owner_rank);
  for (size_t p = 0; p < division_->pieces.size(); ++p)
    if (division_->pieces[p].rank == context_.rank()) unsynced.remember(piece_path(path_, static_cast<int>(p)), true);
}

void Context::put_closed_on_disk() {
  agree("sv_flush, closed files synchronised", [this] { unsynced_files_.sync(); });
  agree("sv_flush, the names of closed files", [this] { unsynced_files_.sync_names(); });
  released_durable_steps_ = INT64_MAX;
  for (const auto &file : files_)  // those that a stop has closed
    if (file->is_closed()) file->is_on_disk();
}

/// Collective. Files whose count lags count all that was committed.
void Context::catch_up() {
  for (const auto &file : files_)
    if (file->is_lagging() && !file->is_closed() && !file->failed()) commit(*file, "sv_flush", false);
}

/// Collective. The first error is thrown when all have been tried.
void Context::put_on_disk() {
  std::optional<Error> first;
  const auto attempt = [&](const std::function<void()> &action) {
    const auto failed = caught(rank(), action);
    if (failed && !first) first = failed;
  };
  for (const auto &file : files_) {
    if (file->is_closed()) continue;
    if (file->failed()) attempt([&] { throw Error(file->failure()); });
    if (file->mode() == Mode::data && !file->is_served() && !file->failed()) attempt([&] { file->put_on_disk(); });
  }
  attempt([this] { put_closed_on_disk(); });
  if (first) throw *first;
  if (durable_steps() < steps_)
    throw Error(Status::io,
                "only " + std::to_string(durable_steps()) + " of " + std::to_string(steps_) + " steps are on the disk",
                "An earlier message tells of the file that could not be synchronised");
}

int64_t Context::durable_steps() const {
  int64_t steps = std::min(steps_, released_durable_steps_);
  for (const auto &file : files_) steps = std::min(steps, file->durable_steps());
  return client_ != nullptr ? std::min(steps, served_durable_steps_) : steps;
}

int64_t File::countable(int64_t synced) const {
  int64_t records = -1;
  for (const Lag &lag : lags_)
    if (lag.counted_before == 0 && lag.number <= synced) records = lag.records;
  return records;
}

void File::count(int64_t records) {
  context_.syncer().check(sync_job_);
  if (records < 0 || !is_owner()) return;
  be_durable(false);
  attached_store().commit(records);
  if (!std::exchange(name_asked_, true)) sync_job_ = nullptr;  // the next one puts the name on the disk, too
}

std::shared_ptr<SyncJob> File::counted(int64_t synced, int64_t number) {
  for (Lag &lag : lags_)
    if (lag.counted_before == 0 && lag.number <= synced) lag.counted_before = number;
  while (!lags_.empty() && lags_.front().counted_before > 0 && lags_.front().counted_before <= synced)
    lags_.pop_front();
  durable_steps_ = lags_.empty() ? INT64_MAX : lags_.front().step;
  if (!attached_) return nullptr;
  store_->admit(pending_records_);
  if (sync_job_ == nullptr) {
    sync_job_ = std::make_shared<SyncJob>();
    store_->duplicate(sync_job_->files);
    if (name_asked_ && is_owner()) sync_job_->name = path_;
  }
  return sync_job_;
}

void File::finish_syncing() { context_.syncer().finish(sync_job_); }

void File::caught_up() {
  lags_.clear();
  sync_job_ = nullptr;
  name_asked_ = true;
  is_on_disk();
}

}  // namespace sv
