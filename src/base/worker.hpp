// A thread that carries out tasks in order while its owner does something else: a server receives, a model computes.
// Deliveries that write after a call, ordering of slices and synchronisation have one each. It makes no MPI calls.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <utility>

#include "base/deferred_error.hpp"
#include "base/mutex.hpp"
#include "base/thread.hpp"

namespace sv {

/// Any thread may call its functions, tasks too, except where they say otherwise. Where the system gives no thread,
/// post() carries out the task.
class Worker {
 public:
  /// `name`: of the thread, of at most 15 characters. `after_task`: called after every task; must not throw, and must
  /// not call this.
  explicit Worker(const char *name, std::function<void()> after_task = nullptr)
      : name_(name), after_task_(std::move(after_task)) {}
  Worker(const Worker &) = delete;
  /// Carries out what waits.
  ~Worker();

  /// Begins the thread, which otherwise begins with the first task. Returns its id: that of no thread where the system
  /// gives none.
  std::thread::id begin() SV_EXCLUDES(mutex_);
  std::thread::id id() const SV_EXCLUDES(mutex_);
  /// Tasks record their own failures. If a task throws all the same, as without memory for that, failure() returns the
  /// exception, and later tasks are still carried out.
  void post(std::function<void()> task) SV_EXCLUDES(mutex_);
  /// Delays the next tasks for this time, or until go().
  void hold_back(std::chrono::milliseconds time) SV_EXCLUDES(mutex_);
  void go() SV_EXCLUDES(mutex_);
  /// Whether no task is under way, and none waits.
  bool is_idle() const SV_EXCLUDES(mutex_);
  /// Waits until it is idle.
  void wait() const SV_EXCLUDES(mutex_);
  /// Waits until it is idle, for some time at most: whether it is.
  bool wait(std::chrono::milliseconds time) const SV_EXCLUDES(mutex_);
  /// The first that a task has thrown.
  std::optional<Error> failure() const { return failure_.error(); }
  /// Tasks done so far, and the seconds they took.
  int64_t done() const { return done_.load(std::memory_order_acquire); }
  double busy_seconds() const SV_EXCLUDES(mutex_);
  /// Processor time of the thread.
  double processor_seconds() const SV_EXCLUDES(mutex_);

 private:
  bool has_thread() SV_REQUIRES(mutex_);
  void run() SV_EXCLUDES(mutex_);
  void carry_out_first() SV_REQUIRES(mutex_);
  bool rests() const SV_REQUIRES(mutex_) { return tasks_.empty() && !busy_; }

  const char *const name_;
  const std::function<void()> after_task_;
  mutable Mutex mutex_;
  Condition wake_;
  mutable Condition rests_;
  std::deque<std::function<void()>> tasks_ SV_GUARDED_BY(mutex_);
  bool leaving_ SV_GUARDED_BY(mutex_) = false, busy_ SV_GUARDED_BY(mutex_) = false;
  std::chrono::steady_clock::time_point held_until_ SV_GUARDED_BY(mutex_){};
  double busy_seconds_ SV_GUARDED_BY(mutex_) = 0;
  std::atomic<int64_t> done_{0};
  DeferredError failure_;
  Thread thread_ SV_GUARDED_BY(mutex_);
};

}  // namespace sv
