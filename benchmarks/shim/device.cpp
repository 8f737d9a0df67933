#include "device.hpp"

#include <sys/prctl.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

#include "shared_state.hpp"

namespace sv_shim {

int64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * int64_t{1000000000} + now.tv_nsec;
}

int64_t reserve_device(int64_t bytes) {
  const Configuration &c = configuration();
  const int64_t cost_ns =
      c.device_latency_ns + static_cast<int64_t>(static_cast<double>(bytes) / c.device_bytes_per_ns);
  std::atomic<int64_t> &busy_until = shared_state().device_busy_until_ns;
  int64_t before = busy_until.load();
  int64_t done = 0;
  do {
    done = std::max(before, now_ns()) + cost_ns;
  } while (!busy_until.compare_exchange_weak(before, done));
  return done;
}

int64_t device_busy_until() { return shared_state().device_busy_until_ns.load(); }

void sleep_until(int64_t when_ns) {
  // Without it the kernel may wake this thread 50 us late, at every request.
  thread_local const int precise = prctl(PR_SET_TIMERSLACK, 1UL);
  (void)precise;
  const timespec when{when_ns / 1000000000, when_ns % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, nullptr) == EINTR) {
  }
}

}  // namespace sv_shim
