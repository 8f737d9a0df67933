// The steps of a file that are on the disk and, with `durability: ordered`, the committed steps that do not count yet
// because they are not. State of one File; src/engine/durability.cpp keeps it. The same on all ranks, except the job.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>

#include "file/syncer.hpp"

namespace sv {

class OnDisk {
 public:
  /// Of the steps of its context, those that are on the disk as far as this file goes: all, unless something was
  /// committed that is not.
  int64_t durable_steps() const { return std::min(unsynced_since_, lags_.empty() ? INT64_MAX : lags_.front().step); }
  void is_behind(int64_t steps_ended) { unsynced_since_ = std::min(unsynced_since_, steps_ended); }
  void is_complete() { unsynced_since_ = INT64_MAX; }

  /// Whether commits of ended steps are not yet known to be on the disk, with their count.
  bool is_lagging() const { return !lags_.empty(); }
  /// The puts of step `step` will count, up to `records`, once all ranks have synchronised the orders up to `number`.
  void lag(int64_t number, int64_t records, int64_t step) { lags_.push_back({number, records, step, 0}); }
  /// How many records may count, where all that was asked for up to `synced` is on the disk; −1: no more than do.
  int64_t countable(int64_t synced) const;
  /// Called with agreement of all ranks: `synced` is on the disk, and the records that count now will be with `number`.
  void counted(int64_t synced, int64_t number);
  /// Everything is on the disk: nothing lags.
  void caught_up();
  /// The file has failed: no rank waits for the disk any more.
  void forget();

  /// The synchronisation job of this rank's thread; nullptr: nothing yet.
  std::shared_ptr<SyncJob> &job() { return job_; }
  /// Whether the name, too, was asked for.
  bool is_name_asked() const { return name_asked_; }
  void ask_for_name() { name_asked_ = true; }

 private:
  struct Lag {
    int64_t number, records, step, counted_before;  // of requests to synchronise; 0: it does not count yet
  };
  std::deque<Lag> lags_;
  std::shared_ptr<SyncJob> job_;
  bool name_asked_ = false;
  int64_t unsynced_since_ = INT64_MAX;
};

}  // namespace sv
