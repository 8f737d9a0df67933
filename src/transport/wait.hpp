// Waiting for a counter in memory that several processes share. Waiters look for a moment, and then sleep (futex): on
// oversubscribed cores a waiter that spins takes the time of the rank it waits for.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <utility>

namespace sv {

using Moment = std::chrono::steady_clock::time_point;
inline Moment moment_now() { return std::chrono::steady_clock::now(); }

/// A moment after which waiting ends; never, for a limit of 0.
class Deadline {
 public:
  explicit Deadline(double limit_seconds, Moment from = moment_now());
  bool passed() const;

 private:
  bool never_;
  Moment at_;
};

/// Rests between two looks at messages that are under way: first gives way, then sleeps for moments, so that waiting
/// ranks leave oversubscribed cores to those that pack and write.
class YieldBackoff {
 public:
  void operator()();

 private:
  int looks_ = 0;
};

/// A number in shared memory that only grows, modulo 2^32, and the number of its sleepers: without sleepers, waking
/// costs no system call. Zeroed memory is a counter.
struct Counter {
  std::atomic<uint32_t> value, sleepers;
  uint32_t now() const { return value.load(std::memory_order_acquire); }
};

/// Polls the counter for a moment before its waiter sleeps: waking on an idle core takes some 30 µs, which is longer
/// than many waits. `own_core`: each waiter has a core, and spins; otherwise it yields, perhaps to the awaited rank.
/// Returns whether `target` was reached.
bool look_for_a_moment(const Counter &counter, uint32_t target, bool own_core);
/// Sleeps until the counter, in which `seen` was seen, may have reached `target`; not longer than `most`. Spurious
/// returns are normal.
void sleep_until(Counter &counter, uint32_t seen, uint32_t target, std::chrono::microseconds most);
/// The time that a waiter sleeps between two polls for events without a wake-up: each nap is `growth` times the one
/// before. An event is therefore found late by no more than growth − 1 of the waiting time.
class SleepBackoff {
 public:
  SleepBackoff(std::chrono::microseconds first, std::chrono::microseconds longest, double growth = 2)
      : next_(first), longest_(longest), growth_(growth) {}
  std::chrono::microseconds take() {
    const auto grown = std::chrono::duration_cast<std::chrono::microseconds>(growth_ * next_);
    return std::exchange(next_, std::min(grown, longest_));
  }

 private:
  std::chrono::microseconds next_, longest_;
  double growth_;
};

/// Wakes all sleepers on the counter, after it has changed.
void wake_all(Counter &counter);
/// Wakes up to `most` sleepers that wait for `target`, after the counter has changed.
void wake(Counter &counter, uint32_t target, int most);

/// Whether `value` has reached `target`.
inline bool reached(uint32_t value, uint32_t target) { return static_cast<int32_t>(value - target) >= 0; }

/// Adds to a counter. When it has reached `target`, wakes one of its waiters, which wakes two others, and so on: woken
/// all at once, they would take the core from the caller, a writer that is about to write.
inline void advance(Counter &counter, uint32_t by, uint32_t target) {
  if (by > 0 && reached(counter.value.fetch_add(by, std::memory_order_acq_rel) + by, target)) wake(counter, target, 1);
}

}  // namespace sv
