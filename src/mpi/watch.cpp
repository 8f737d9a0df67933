#include "mpi/watch.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include "base/mutex.hpp"
#include "base/thread.hpp"

namespace sv {

namespace {

using Clock = std::chrono::steady_clock;

/// One thread per process, made with the first watch. It looks now and then instead of being woken for every call.
class Watchman {
 public:
  /// The process ends. One that was forked has no such thread, which may have held the lock then, and waited.
  void leave() {
    if (getpid() == process_) thread_.end();
  }

  void begin(const WatchSettings &settings, MPI_Comm comm, const std::string &what) {
    const MutexLock lock(mutex_);
    settings_ = settings;
    comm_ = comm;
    what_ = what;
    inside_.clear();
    begun_ = Clock::now();
    seen_ = settings.progress.now();
    armed_ = true;
    start();
  }

  void end() {
    const MutexLock lock(mutex_);
    armed_ = false;
  }

  void keep(const WatchSettings &settings, int rank, const std::string &cause) {
    const MutexLock lock(mutex_);
    settings_ = settings;
    failed_rank_ = rank;
    failure_ = cause;
    failed_ = Clock::now();
    start();
  }

  void forget() {
    const MutexLock lock(mutex_);
    failure_.clear();
  }

  /// The first cause is the cause.
  void note(const std::string &cause) {
    const MutexLock lock(mutex_);
    if (!armed_ || !inside_.empty()) return;
    inside_ = what_ + ": " + cause;
    noted_ = Clock::now();
  }

 private:
  /// If the system provides no thread, there is no watchdog.
  void start() SV_REQUIRES(mutex_) {
    const auto watch = [this](const std::stop_token &stop) {
      while (!stops_within(stop, pause())) look();
    };
    if (!thread_.has_begun() && thread_.begin("sv-watch", watch)) process_ = getpid();
  }

  std::chrono::nanoseconds pause() {
    const MutexLock lock(mutex_);
    const auto part = std::chrono::duration<double>(settings_.limit_seconds / 8);
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::min<std::chrono::duration<double>>(part, std::chrono::seconds(5)));
  }

  void look() {
    const MutexLock lock(mutex_);
    const auto limit = std::chrono::duration<double>(settings_.limit_seconds);
    if (!failure_.empty() && Clock::now() - failed_ >= limit / 4) report_failure(failed_rank_, failure_);
    if (armed_ && !inside_.empty() && Clock::now() - noted_ >= limit / 4) report_failure(rank_inside(), inside_);
    if (!armed_ || Clock::now() - begun_ < limit) return;
    if (const uint64_t now = settings_.progress.now(); now != std::exchange(seen_, now)) {
      begun_ = Clock::now();
      return;
    }
    armed_ = false;
    report();
  }

  static void report_failure(int rank, std::string &cause) {
    std::fprintf(stderr,
                 "sverdrup: rank %d, a writer of the file, has failed, and the other writers do not notice: %s\n", rank,
                 cause.c_str());
    std::fflush(stderr);
    cause.clear();
  }

  int rank_inside() const SV_REQUIRES(mutex_) {
    int rank = -1;
    MPI_Comm_rank(comm_, &rank);
    return rank;
  }

  void report() const SV_REQUIRES(mutex_) {
    std::fprintf(
        stderr,
        "sverdrup: rank %d, a writer of the file, has been inside %s for %g s: another one has failed or does "
        "not come. %s\n",
        rank_inside(), what_.c_str(), settings_.limit_seconds,
        settings_.may_abort ? "The job is ended (keys: watchdog.time, watchdog.abort)." : "It is still waiting.");
    std::fflush(stderr);
    if (settings_.may_abort) MPI_Abort(comm_, 1);
  }

  Mutex mutex_;
  WatchSettings settings_ SV_GUARDED_BY(mutex_);
  MPI_Comm comm_ SV_GUARDED_BY(mutex_) = MPI_COMM_NULL;
  std::string what_ SV_GUARDED_BY(mutex_), inside_ SV_GUARDED_BY(mutex_), failure_ SV_GUARDED_BY(mutex_);
  int failed_rank_ SV_GUARDED_BY(mutex_) = -1;
  uint64_t seen_ SV_GUARDED_BY(mutex_) = 0;  // of the progress
  Clock::time_point begun_ SV_GUARDED_BY(mutex_), noted_ SV_GUARDED_BY(mutex_), failed_ SV_GUARDED_BY(mutex_);
  bool armed_ SV_GUARDED_BY(mutex_) = false;
  pid_t process_ = 0;  // that has the thread
  Thread thread_;
};

/// Never destroyed: that would wait for those who wait in it, in a process that was forked for ever.
Watchman &watchman() {
  static auto *const one = new Watchman;
  static const struct Leaving {
    ~Leaving() { one->leave(); }
  } leaving;
  return *one;
}

}  // namespace

Watch::Watch(const WatchSettings &settings, MPI_Comm comm, const std::string &what) {
  if (settings.limit_seconds > 0) watchman().begin(settings, comm, what);
}

Watch::~Watch() { watchman().end(); }

void keep_failure(const WatchSettings &settings, int rank, const std::string &cause) {
  watchman().keep(settings, rank, cause);
}

void forget_failure() noexcept { watchman().forget(); }

void note_inside(const std::string &cause) { watchman().note(cause); }

}  // namespace sv
