// The first error of work that goes on while its caller does something else, as in a thread: it stays here until a call
// can throw it. Threads share it. Local; no MPI.
#pragma once

#include <atomic>
#include <optional>

#include "base/error.hpp"
#include "base/mutex.hpp"

namespace sv {

class DeferredError {
 public:
  /// Keeps the error, unless there was one before.
  void note(const Error &error) {
    const MutexLock lock(mutex_);
    if (!error_) error_ = error;
    is_set_.store(true, std::memory_order_release);
  }
  std::optional<Error> error() const {
    if (!is_set_.load(std::memory_order_acquire)) return std::nullopt;
    const MutexLock lock(mutex_);
    return error_;
  }
  /// Throws the error, at every call after it.
  void check() const {
    if (const auto failed = error()) throw Error(*failed);
  }

 private:
  mutable Mutex mutex_;
  std::atomic<bool> is_set_ = false;  // so that to look costs little
  std::optional<Error> error_ SV_GUARDED_BY(mutex_);
};

}  // namespace sv
