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

void Rest::operator()() {
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

/// Tells those who sleep for one target from those who sleep for another; chance may let two share a bit.
uint32_t bit_of(uint32_t target) {
  constexpr uint32_t golden = 2654435769u;
  return 1u << (target * golden >> 27);
}

}  // namespace

void sleep_until(const std::atomic<uint32_t> &word, uint32_t seen, uint32_t target, int milliseconds) {
  timespec until{};
  clock_gettime(CLOCK_MONOTONIC, &until);
  const int64_t nanoseconds = until.tv_nsec + milliseconds * int64_t{1000000};
  until.tv_sec += nanoseconds / 1000000000;
  until.tv_nsec = nanoseconds % 1000000000;
  futex(word, FUTEX_WAIT_BITSET, seen, &until, bit_of(target));
}

void wake_all(const std::atomic<uint32_t> &word) {
  futex(word, FUTEX_WAKE, std::numeric_limits<int>::max(), nullptr, 0);
}

void wake(const std::atomic<uint32_t> &word, uint32_t target, int sleepers) {
  futex(word, FUTEX_WAKE_BITSET, static_cast<uint32_t>(sleepers), nullptr, bit_of(target));
}

}  // namespace sv
