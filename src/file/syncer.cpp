#include "file/syncer.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace sv {

void Syncer::ask(int64_t number, std::vector<std::shared_ptr<SyncJob>> jobs) {
  if (jobs.empty()) return;
  {
    const MutexLock lock(mutex_);
    for (auto &job : jobs)
      if (std::find(asked_.begin(), asked_.end(), job) == asked_.end()) asked_.push_back(std::move(job));
    number_ = number;
  }
  worker_.post([this] { synchronise(); });
}

int64_t Syncer::done() {
  const MutexLock lock(mutex_);
  std::erase_if(failures_, [](const Failure &each) { return each.job.expired(); });
  int64_t done = asked_.empty() && worker_.is_idle() ? INT64_MAX : done_;
  for (const Failure &each : failures_) done = std::min(done, each.number);
  return done;
}

void Syncer::check(const std::shared_ptr<SyncJob> &job) {
  const MutexLock lock(mutex_);
  for (const Failure &each : failures_)
    if (job != nullptr && each.job.lock() == job) throw Error(each.error);
}

void Syncer::finish(const std::shared_ptr<SyncJob> &job) {
  worker_.wait();
  check(job);
}

/// All that was asked for meanwhile is one round: the thread falls behind by no more than one.
void Syncer::synchronise() {
  std::vector<std::shared_ptr<SyncJob>> jobs;
  std::vector<std::string> names;
  int64_t number = 0;
  {
    const MutexLock lock(mutex_);
    jobs.swap(asked_);
    for (const auto &job : jobs) names.push_back(std::exchange(job->name, {}));
    number = number_;
  }
  std::vector<std::optional<Error>> failed;
  for (size_t j = 0; j < jobs.size(); ++j)
    failed.push_back(caught(-1, [&] {
      for (PositionalFile &file : jobs[j]->files) file.sync();
      if (!names[j].empty()) sync_directory_of(names[j]);
    }));
  const MutexLock lock(mutex_);
  for (size_t j = 0; j < jobs.size(); ++j)
    if (failed[j]) failures_.push_back({jobs[j], done_, *failed[j]});
  if (!jobs.empty()) done_ = number;
}

}  // namespace sv
