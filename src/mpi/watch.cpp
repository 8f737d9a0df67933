#include "mpi/watch.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

namespace sv {

namespace {

using Clock = std::chrono::steady_clock;

/// One thread per process, made with the first watch. It looks now and then instead of being woken for every call.
class Watchman {
 public:
  ~Watchman() {
    {
      const std::scoped_lock lock(mutex_);
      leaving_ = true;
    }
    leave_.notify_one();
    if (thread_.joinable()) thread_.join();
  }

  void begin(const WatchSettings &settings, MPI_Comm comm, const std::string &what) {
    const std::scoped_lock lock(mutex_);
    settings_ = settings;
    comm_ = comm;
    what_ = what;
    begun_ = Clock::now();
    armed_ = true;
    start();
  }

  void end() {
    const std::scoped_lock lock(mutex_);
    armed_ = false;
  }

  void keep(const WatchSettings &settings, int rank, const std::string &cause) {
    const std::scoped_lock lock(mutex_);
    settings_ = settings;
    failed_rank_ = rank;
    failure_ = cause;
    failed_ = Clock::now();
    start();
  }

  void forget() {
    const std::scoped_lock lock(mutex_);
    failure_.clear();
  }

 private:
  void start() {
    if (!thread_.joinable()) thread_ = std::thread([this] { look(); });
  }

  void look() {
    std::unique_lock lock(mutex_);
    while (!leaving_) {
      const auto limit = std::chrono::duration<double>(settings_.limit_seconds);
      leave_.wait_for(lock, std::min<std::chrono::duration<double>>(limit / 8, std::chrono::seconds(5)));
      if (leaving_) break;
      if (!failure_.empty() && Clock::now() - failed_ >= limit / 4) tell_failure();
      if (!armed_ || Clock::now() - begun_ < limit) continue;
      armed_ = false;
      tell();
    }
  }

  void tell_failure() {
    std::fprintf(stderr,
                 "sverdrup: rank %d of those that write the file has failed, and the others do not hear it: %s\n",
                 failed_rank_, failure_.c_str());
    std::fflush(stderr);
    failure_.clear();
  }

  void tell() const {
    int rank = -1;
    MPI_Comm_rank(comm_, &rank);
    std::fprintf(
        stderr,
        "sverdrup: rank %d of those that write the file has been inside %s for %g s: another one has failed or does "
        "not come. %s\n",
        rank, what_.c_str(), settings_.limit_seconds,
        settings_.may_abort ? "The job is ended (keys: watchdog, watchdog_abort)." : "It is still waiting.");
    std::fflush(stderr);
    if (settings_.may_abort) MPI_Abort(comm_, 1);
  }

  std::mutex mutex_;
  std::condition_variable leave_;
  std::thread thread_;
  WatchSettings settings_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  std::string what_, failure_;
  int failed_rank_ = -1;
  Clock::time_point begun_, failed_;
  bool armed_ = false, leaving_ = false;
};

Watchman &watchman() {
  static Watchman one;
  return one;
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

}  // namespace sv
