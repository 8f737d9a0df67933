// A resource that one thread of a process may use at a time, and that belongs to the program's own thread: a library
// that is not thread-safe, such as HDF5. The program's thread lends it during calls of Sverdrup that do not use it.
// Another thread borrows it, or waits for it. It makes no MPI calls.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "base/mutex.hpp"

namespace sv {

class Loan {
 public:
  /// This thread is one that must borrow; all others have it anyway.
  void join(std::thread::id thread) {
    const MutexLock lock(mutex_);
    borrowers_.push_back({thread, {}});
  }
  void leave(std::thread::id thread) {
    const MutexLock lock(mutex_);
    std::erase_if(borrowers_, [thread](const Known &each) { return each.thread == thread; });
  }
  /// How long it has waited for it.
  double waited_seconds(std::thread::id thread) const {
    const MutexLock lock(mutex_);
    const auto found = find(thread);
    return found == borrowers_.end() ? 0 : found->waited.count();
  }

  /// Called by the program's thread. Each lend() has its take_back(), which waits for the current and the waiting
  /// borrowers.
  void lend() {
    const MutexLock lock(mutex_);
    ++lent_;
    changed_.notify_all();
  }
  void take_back() {
    const MutexLock lock(mutex_);
    while (lent_ == 1 && (is_borrowed_ || waiting_ > 0)) changed_.wait(mutex_);
    --lent_;
  }

  /// Waits until it is lent. Whether it must be given back: not by those who have it anyway.
  bool borrow() {
    const MutexLock lock(mutex_);
    if (!is_borrower()) return false;
    const auto since = std::chrono::steady_clock::now();
    ++waiting_;
    while (lent_ == 0 || is_borrowed_) changed_.wait(mutex_);
    --waiting_;
    borrowers_[static_cast<size_t>(find(std::this_thread::get_id()) - borrowers_.begin())].waited +=
        std::chrono::steady_clock::now() - since;
    return is_borrowed_ = true;
  }
  void give_back() {
    const MutexLock lock(mutex_);
    is_borrowed_ = false;
    changed_.notify_all();
  }
  /// Whether the calling thread could use it now.
  bool is_free() const {
    const MutexLock lock(mutex_);
    return !is_borrower() || (lent_ > 0 && !is_borrowed_);
  }

 private:
  struct Known {
    std::thread::id thread;
    std::chrono::duration<double> waited;
  };
  std::vector<Known>::const_iterator find(std::thread::id thread) const SV_REQUIRES(mutex_) {
    return std::find_if(borrowers_.begin(), borrowers_.end(),
                        [thread](const Known &each) { return each.thread == thread; });
  }
  bool is_borrower() const SV_REQUIRES(mutex_) { return find(std::this_thread::get_id()) != borrowers_.end(); }

  mutable Mutex mutex_;
  Condition changed_;
  std::vector<Known> borrowers_ SV_GUARDED_BY(mutex_);
  int lent_ SV_GUARDED_BY(mutex_) = 0, waiting_ SV_GUARDED_BY(mutex_) = 0;
  bool is_borrowed_ SV_GUARDED_BY(mutex_) = false;
};

/// While it lives, a thread is one that must borrow.
class Borrower {
 public:
  Borrower(Loan &loan, std::thread::id thread) : loan_(loan), thread_(thread) { loan_.join(thread_); }
  ~Borrower() { loan_.leave(thread_); }
  Borrower(const Borrower &) = delete;

 private:
  Loan &loan_;
  const std::thread::id thread_;
};

/// Permits other threads to borrow during its lifetime.
class Lent {
 public:
  explicit Lent(Loan &loan) : loan_(loan) { loan_.lend(); }
  ~Lent() { loan_.take_back(); }
  Lent(const Lent &) = delete;

 private:
  Loan &loan_;
};

/// Holds the resource for this thread during its lifetime. nullptr: no other thread ever wants it.
class Borrowed {
 public:
  explicit Borrowed(Loan *loan) : loan_(loan != nullptr && loan->borrow() ? loan : nullptr) {}
  ~Borrowed() {
    if (loan_ != nullptr) loan_->give_back();
  }
  Borrowed(const Borrowed &) = delete;

 private:
  Loan *const loan_;
};

}  // namespace sv
