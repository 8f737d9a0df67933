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

// The word lies in memory shared between processes, so the futex must not be a private one (std::atomic::wait's is).
void sleep_while(const std::atomic<uint32_t> &word, uint32_t seen, int milliseconds) {
  static_assert(sizeof(word) == sizeof(uint32_t));
  timespec limit{milliseconds / 1000, (milliseconds % 1000) * 1000000L};
  syscall(SYS_futex, reinterpret_cast<const uint32_t *>(&word), FUTEX_WAIT, seen, &limit, nullptr, 0);
}

void wake_all(std::atomic<uint32_t> &word) {
  syscall(SYS_futex, reinterpret_cast<uint32_t *>(&word), FUTEX_WAKE, std::numeric_limits<int>::max(), nullptr, nullptr,
          0);
}

}  // namespace sv
