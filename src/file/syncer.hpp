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

/// The part of one file that a rank has to synchronise.
struct SyncJob {
  std::vector<PositionalFile> files;  // descriptors of its own
  std::string name{};                 // and the directory of this one, once; empty: none
};

/// Of one rank, with its thread from the first request on.
class Syncer {
 public:
  Syncer() = default;
  Syncer(const Syncer &) = delete;

  /// Requests that the writes into these so far be synchronised, soon. `number` rises from call to call.
  void ask(int64_t number, std::vector<std::shared_ptr<SyncJob>> jobs) SV_EXCLUDES(mutex_);
  /// All requests up to this number are on the disk: INT64_MAX if none waits. It stays below failed ones as long as
  /// somebody holds that job.
  int64_t done() SV_EXCLUDES(mutex_);
  /// Waits until nothing is pending; throws the error of this job.
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
