// Puts files on the disk while the model computes (durability: ordered), in a thread of its rank. It makes no MPI
// calls.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/worker.hpp"
#include "store/positional_file.hpp"

namespace sv {

/// What of one file a rank has to synchronise.
struct SyncJob {
  std::vector<PositionalFile> files;  // descriptors of its own
  std::string name{};                 // and the directory of this one, once; empty: none
};

/// Of one rank, with its thread from the first request on.
class Syncer {
 public:
  Syncer() = default;
  Syncer(const Syncer &) = delete;

  /// What was written into these so far is to be put on the disk, soon. `number` rises from call to call.
  void ask(int64_t number, std::vector<std::shared_ptr<SyncJob>> jobs) SV_EXCLUDES(mutex_);
  /// Everything that was asked for up to this number is on the disk: INT64_MAX where nothing waits. It stays below what
  /// has failed for as long as somebody holds that job.
  int64_t done() SV_EXCLUDES(mutex_);
  /// Waits until nothing is under way; throws what this job has failed with.
  void finish(const std::shared_ptr<SyncJob> &job) SV_EXCLUDES(mutex_);
  /// The same without waiting.
  void check(const std::shared_ptr<SyncJob> &job) SV_EXCLUDES(mutex_);

 private:
  struct Failure {
    std::weak_ptr<SyncJob> job;
    int64_t number;
    Error error;
  };
  void synchronise() SV_EXCLUDES(mutex_);

  Mutex mutex_;
  std::vector<std::shared_ptr<SyncJob>> asked_ SV_GUARDED_BY(mutex_);
  std::vector<Failure> failures_ SV_GUARDED_BY(mutex_);
  int64_t number_ SV_GUARDED_BY(mutex_) = 0, done_ SV_GUARDED_BY(mutex_) = 0;
  Worker worker_{"sv-sync"};
};

}  // namespace sv
