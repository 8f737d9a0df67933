#include "transport/wait.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>
#include <limits>

namespace sv {

Deadline::Deadline(double limit_seconds, Moment from)
    : never_(limit_seconds <= 0),
      at_(from + std::chrono::duration_cast<Moment::duration>(std::chrono::duration<double>(limit_seconds))) {}

bool Deadline::passed() const { return !never_ && moment_now() >= at_; }

void YieldBackoff::operator()() {
  constexpr int yields = 64;
  constexpr timespec moment{0, 20000};
  if (++looks_ <= yields)
    sched_yield();
  else
    nanosleep(&moment, nullptr);
}

namespace {

// The word lies in memory shared between processes, so the futex must not be a private one (std::atomic::wait's is).
long futex(const std::atomic<uint32_t> &word, int operation, uint32_t value, const timespec *until, uint32_t bits) {
  static_assert(sizeof(word) == sizeof(uint32_t));
  return syscall(SYS_futex, reinterpret_cast<const uint32_t *>(&word), operation, value, until, nullptr, bits);
}

/// Distinguishes ranks that sleep for different targets; by chance two may share a bit.
uint32_t bit_of(uint32_t target) {
  constexpr uint32_t golden = 2654435769u;
  return 1u << (target * golden >> 27);
}

/// A rank that is about to sleep counts itself first, and the kernel then looks at the value; a waking rank has changed
/// the value first, and then adds nothing to the count. The two additions have an order: either the waking rank sees
/// the sleeper, or the kernel sees the new value.
bool anybody_sleeps(Counter &counter) { return counter.sleepers.fetch_add(0, std::memory_order_acq_rel) > 0; }

/// The awaited value comes from another core.
void pause_core() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

bool look_for_a_moment(const Counter &counter, uint32_t target, bool own_core) {
  constexpr std::chrono::microseconds moment{50};
  constexpr int looks = 20, yields = 10;
  if (!own_core) {
    for (int y = 0; y < yields && !reached(counter.now(), target); ++y) sched_yield();
    return reached(counter.now(), target);
  }
  const Moment end = moment_now() + moment;
  do {
    for (int look = 0; look < looks; ++look) {
      if (reached(counter.now(), target)) return true;
      pause_core();
    }
  } while (moment_now() < end);
  return false;
}

void sleep_until(Counter &counter, uint32_t seen, uint32_t target, std::chrono::microseconds most) {
  timespec until{};
  clock_gettime(CLOCK_MONOTONIC, &until);
  const int64_t nanoseconds = until.tv_nsec + std::chrono::nanoseconds(most).count();
  until.tv_sec += nanoseconds / 1000000000;
  until.tv_nsec = nanoseconds % 1000000000;
  counter.sleepers.fetch_add(1, std::memory_order_acq_rel);
  futex(counter.value, FUTEX_WAIT_BITSET, seen, &until, bit_of(target));
  counter.sleepers.fetch_sub(1, std::memory_order_relaxed);
}

void wake_all(Counter &counter) {
  if (anybody_sleeps(counter)) futex(counter.value, FUTEX_WAKE, std::numeric_limits<int>::max(), nullptr, 0);
}

void wake(Counter &counter, uint32_t target, int most) {
  if (anybody_sleeps(counter))
    futex(counter.value, FUTEX_WAKE_BITSET, static_cast<uint32_t>(most), nullptr, bit_of(target));
}

}  // namespace sv
