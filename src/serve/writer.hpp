// A thread that writes while its server receives. It makes no MPI calls.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "transport/bell.hpp"

namespace sv {

class Writer {
 public:
  /// `bell` is rung after every task.
  explicit Writer(Bell &bell) : bell_(bell), thread_([this] { run(); }) {}
  Writer(const Writer &) = delete;
  /// Carries out what waits.
  ~Writer();

  /// In order, one after the other. A task must not throw.
  void post(std::function<void()> task);
  bool is_idle() const;
  /// Tasks done so far, and the seconds they took.
  int64_t done() const { return done_.load(std::memory_order_acquire); }
  double busy_seconds() const;

 private:
  void run();

  Bell &bell_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;
  bool leaving_ = false, busy_ = false;
  double busy_seconds_ = 0;
  std::atomic<int64_t> done_{0};
  std::thread thread_;
};

}  // namespace sv
