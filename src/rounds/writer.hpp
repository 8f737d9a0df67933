// A thread that writes while its rank does something else: a server receives, a model computes. It makes no MPI calls.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "rounds/late_note.hpp"
#include "transport/bell.hpp"
#include "transport/wait.hpp"

namespace sv {

class Writer {
 public:
  /// `bell` is rung after every task.
  explicit Writer(Bell &bell) : bell_(bell), thread_([this] { run(); }) {}
  Writer(const Writer &) = delete;
  /// Carries out what waits.
  ~Writer();

  /// In order, one after the other. Tasks note by themselves what they fail with; where one throws all the same, as
  /// without memory for that, failure() returns it, and those behind it are carried out.
  void post(std::function<void()> task);
  /// No task begins for so long, or until go(): what is posted waits.
  void hold_back(std::chrono::milliseconds time);
  void go();
  bool is_idle() const;
  /// The first that a task has thrown.
  std::optional<Error> failure() const { return failure_.late(); }
  std::thread::id id() const { return thread_.get_id(); }
  /// Waits until it is, for some time: whether it is.
  bool wait(std::chrono::milliseconds time) const;
  /// Tasks done so far, and the seconds they took.
  int64_t done() const { return done_.load(std::memory_order_acquire); }
  double busy_seconds() const;
  /// What it has kept a processor busy.
  double processor_seconds() const { return processor_seconds_.load(std::memory_order_acquire); }

 private:
  void run();

  Bell &bell_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  mutable std::condition_variable rests_;
  std::deque<std::function<void()>> tasks_;
  bool leaving_ = false, busy_ = false;
  Moment held_until_{};
  double busy_seconds_ = 0;
  std::atomic<int64_t> done_{0};
  std::atomic<double> processor_seconds_{0};
  LateNote failure_;
  std::thread thread_;
};

}  // namespace sv
