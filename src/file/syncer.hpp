// A thread that puts files on the disk while the model computes (durability: ordered). It makes no MPI calls.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"
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
  ~Syncer();

  /// What was written into these so far is to be put on the disk, soon. `number` rises from call to call.
  void ask(int64_t number, std::vector<std::shared_ptr<SyncJob>> jobs);
  /// Everything that was asked for up to this number is on the disk: INT64_MAX where nothing waits. It stays below what
  /// has failed for as long as somebody holds that job.
  int64_t done();
  /// Waits until nothing is under way; throws what this job has failed with.
  void finish(const std::shared_ptr<SyncJob> &job);
  /// The same without waiting.
  void check(const std::shared_ptr<SyncJob> &job);

 private:
  struct Failure {
    std::weak_ptr<SyncJob> job;
    int64_t number;
    Error error;
  };
  void run();
  void synchronise(std::unique_lock<std::mutex> &lock);

  std::mutex mutex_;
  std::condition_variable wake_, rest_;
  std::vector<std::shared_ptr<SyncJob>> asked_;
  std::vector<Failure> failures_;
  int64_t number_ = 0, done_ = 0;
  bool busy_ = false, leaving_ = false;
  std::thread thread_;
};

}  // namespace sv
