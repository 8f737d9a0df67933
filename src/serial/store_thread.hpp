// The thread of the process that gives values to the stores of its serial files (serial/stored_file.hpp), in order,
// while the program continues. The first task starts it; where the system gives no thread, the caller carries the task
// out. It calls no MPI. A store may need HDF5, which is the program's and not made for threads: the thread borrows it
// while the program is in one of the calls that lend it.
#pragma once

#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <functional>

#include "base/loan.hpp"
#include "base/mutex.hpp"
#include "base/worker.hpp"

namespace sv {

class StoreThread {
 public:
  /// The process's. Never destroyed: files may be closed when the process ends.
  static StoreThread &own();

  /// HDF5, for stores that the thread uses.
  Loan &hdf5() { return hdf5_; }
  /// Waits while so many bytes more than those in tasks would be more than 256 MiB, of all files together. Lends HDF5
  /// meanwhile.
  void await_room(int64_t bytes) SV_EXCLUDES(mutex_);
  /// Begins the task soon. Lends HDF5 meanwhile.
  void submit(int64_t bytes, std::function<void()> task) SV_EXCLUDES(mutex_);
  /// Lends HDF5 to the thread for a moment, if it has something to do.
  void lend();
  /// Waits until no task is left, and lends HDF5 meanwhile.
  void rest();
  /// A process that was forked has no such thread, and must not use its parent's files.
  bool is_of_this_process() const { return process_ == ::getpid(); }

 private:
  StoreThread() : borrower_(hdf5_, worker_.begin()) {}

  const pid_t process_ = ::getpid();
  Loan hdf5_;
  Worker worker_{"sv-serial"};
  const Borrower borrower_;
  std::atomic<int64_t> tasks_ = 0;
  Mutex mutex_;
  Condition fewer_;
  std::atomic<int64_t> waiting_bytes_ = 0;  // in tasks
};

}  // namespace sv
