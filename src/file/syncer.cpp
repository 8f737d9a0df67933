#include "file/syncer.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace sv {

namespace {

std::optional<Error> failure_of(SyncJob &job, const std::string &name) {
  return caught(-1, [&] {
    for (PositionalFile &file : job.files) file.sync();
    if (!name.empty()) sync_directory_of(name);
  });
}

}  // namespace

Syncer::~Syncer() {
  {
    const std::scoped_lock lock(mutex_);
    leaving_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Syncer::ask(int64_t number, std::vector<std::shared_ptr<SyncJob>> jobs) {
  if (jobs.empty()) return;
  {
    const std::scoped_lock lock(mutex_);
    for (auto &job : jobs)
      if (std::find(asked_.begin(), asked_.end(), job) == asked_.end()) asked_.push_back(std::move(job));
    number_ = number;
  }
  try {
    if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
    wake_.notify_one();
  } catch (const std::system_error &) {  // the system gives no thread: then the call waits for the disk
    std::unique_lock lock(mutex_);
    synchronise(lock);
  }
}

int64_t Syncer::done() {
  const std::scoped_lock lock(mutex_);
  std::erase_if(failures_, [](const Failure &each) { return each.job.expired(); });
  int64_t done = asked_.empty() && !busy_ ? INT64_MAX : done_;
  for (const Failure &each : failures_) done = std::min(done, each.number);
  return done;
}

void Syncer::check(const std::shared_ptr<SyncJob> &job) {
  const std::scoped_lock lock(mutex_);
  for (const Failure &each : failures_)
    if (job != nullptr && each.job.lock() == job) throw Error(each.error);
}

void Syncer::finish(const std::shared_ptr<SyncJob> &job) {
  {
    std::unique_lock lock(mutex_);
    rest_.wait(lock, [this] { return asked_.empty() && !busy_; });
  }
  check(job);
}

void Syncer::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return leaving_ || !asked_.empty(); });
    if (asked_.empty()) return;
    synchronise(lock);
  }
}

/// All that was asked for meanwhile is one round: the thread falls behind by no more than one.
void Syncer::synchronise(std::unique_lock<std::mutex> &lock) {
  std::vector<std::shared_ptr<SyncJob>> jobs = std::exchange(asked_, {});
  std::vector<std::string> names;
  for (const auto &job : jobs) names.push_back(std::exchange(job->name, {}));
  const int64_t number = number_, before = done_;
  busy_ = true;
  lock.unlock();
  std::vector<std::optional<Error>> failed;
  for (size_t j = 0; j < jobs.size(); ++j) failed.push_back(failure_of(*jobs[j], names[j]));
  lock.lock();
  for (size_t j = 0; j < jobs.size(); ++j)
    if (failed[j]) failures_.push_back({jobs[j], before, *failed[j]});
  done_ = number;
  busy_ = false;
  jobs.clear();
  rest_.notify_all();
}

}  // namespace sv
