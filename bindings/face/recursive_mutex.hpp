// A recursive mutex that clang checks as it does sv::Mutex (src/base/mutex.hpp), and its lock: for data that a call
// reads while a library, which may call us again, is being loaded. Local.
#pragma once

#include <mutex>

#include "base/mutex.hpp"

namespace sv::face {

class SV_THREAD_ANNOTATION(capability("mutex")) RecursiveMutex {
 public:
  void lock() SV_ACQUIRE() { mutex_.lock(); }
  void unlock() SV_RELEASE() { mutex_.unlock(); }

 private:
  std::recursive_mutex mutex_;
};

/// Holds it while it lives.
class SV_THREAD_ANNOTATION(scoped_lockable) RecursiveLock {
 public:
  explicit RecursiveLock(RecursiveMutex &mutex) SV_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~RecursiveLock() SV_RELEASE() { mutex_.unlock(); }
  RecursiveLock(const RecursiveLock &) = delete;

 private:
  RecursiveMutex &mutex_;
};

}  // namespace sv::face
