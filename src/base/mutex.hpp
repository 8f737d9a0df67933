// Mutexes that clang checks: shared data name the mutex that guards them, and functions name the mutex that their
// caller must hold. scripts/lint compiles all such sources with -Wthread-safety; other compilers ignore the
// annotations. Every part of the library with threads uses this. Local; no MPI.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define SV_THREAD_ANNOTATION(attribute) __attribute__((attribute))
#else
#define SV_THREAD_ANNOTATION(attribute)
#endif
/// A member that is read and written only while this mutex is held.
#define SV_GUARDED_BY(mutex) SV_THREAD_ANNOTATION(guarded_by(mutex))
/// A function whose caller holds this mutex, which is held when it returns.
#define SV_REQUIRES(...) SV_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
/// A function whose caller does not hold this mutex, which the function locks.
#define SV_EXCLUDES(...) SV_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))
/// Functions that return with the mutex locked, or unlocked.
#define SV_ACQUIRE(...) SV_THREAD_ANNOTATION(acquire_capability(__VA_ARGS__))
#define SV_RELEASE(...) SV_THREAD_ANNOTATION(release_capability(__VA_ARGS__))
/// A function that returns a reference to this mutex.
#define SV_RETURNS_MUTEX(mutex) SV_THREAD_ANNOTATION(lock_returned(mutex))

namespace sv {

/// A std::mutex, and as fast.
class SV_THREAD_ANNOTATION(capability("mutex")) Mutex {
 public:
  void lock() SV_ACQUIRE() { mutex_.lock(); }
  void unlock() SV_RELEASE() { mutex_.unlock(); }

 private:
  friend class Condition;
  std::mutex mutex_;
};

/// Holds a mutex while it lives.
class SV_THREAD_ANNOTATION(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex &mutex) SV_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() SV_RELEASE() { mutex_.unlock(); }
  MutexLock(const MutexLock &) = delete;
  MutexLock &operator=(const MutexLock &) = delete;

 private:
  Mutex &mutex_;
};

/// A condition for which threads wait while they hold a mutex. Waiting may end without a notification, so callers wait
/// in a loop that checks the condition itself. Clang then sees the members that it reads.
class Condition {
 public:
  void wait(Mutex &mutex) SV_REQUIRES(mutex) {
    std::unique_lock held(mutex.mutex_, std::adopt_lock);
    changed_.wait(held);
    held.release();
  }
  void wait_until(Mutex &mutex, std::chrono::steady_clock::time_point moment) SV_REQUIRES(mutex) {
    std::unique_lock held(mutex.mutex_, std::adopt_lock);
    changed_.wait_until(held, moment);
    held.release();
  }
  void notify_one() { changed_.notify_one(); }
  void notify_all() { changed_.notify_all(); }

 private:
  std::condition_variable changed_;
};

}  // namespace sv
