#include "device.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

#include "shared_state.hpp"

namespace sv_shim {

namespace {

// Falling asleep and waking up takes longer. The device stays busy until then, so that a later call waits for it.
constexpr int64_t shortest_sleep_ns = 20000;

// Where the stripes of a file lie.
struct Striping {
  uint64_t key;      // of the file
  int first_target;  // of stripe 0
  FileLayout layout;

  int target(int64_t stripe) const {
    const Device &d = configuration().device;
    return static_cast<int>((first_target + stripe % layout.stripes) % d.targets);
  }
};

Striping striping_of(int descriptor) {
  const Device &d = configuration().device;
  const FileLayout usual{d.stripes, d.stripe_bytes};
  struct statx status {};
  // Never an error for an open file; if it were, all such files would lie alike.
  if (statx(descriptor, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &status) != 0) return {1, 0, usual};
  uint64_t key = mixed((static_cast<uint64_t>(status.stx_dev_major) << 32) + status.stx_dev_minor + 1);
  key = mixed(key + status.stx_ino);
  key = mixed(key + static_cast<uint64_t>(status.stx_btime.tv_sec) * 1000000000 + status.stx_btime.tv_nsec);
  const auto first = static_cast<int>(status.stx_ino % static_cast<uint64_t>(d.targets));
  return {key, first, d.file_system != FileSystem::none ? shared_state().layouts.of(key, usual) : usual};
}

// Where a request without an offset begins.
int64_t position(const Extent &extent) {
  if (extent.offset_bytes != Extent::at_position) return extent.offset_bytes;
  const int flags = fcntl(extent.descriptor, F_GETFL);
  struct stat status {};
  if (extent.writes && flags >= 0 && (flags & O_APPEND) != 0 && fstat(extent.descriptor, &status) == 0)
    return status.st_size;
  return std::max<int64_t>(lseek(extent.descriptor, 0, SEEK_CUR), 0);
}

// Returns when the target is done with it.
int64_t reserve_target(int target, int64_t cost_ns) {
  std::atomic<int64_t> &busy_until = shared_state().target_busy_until_ns[target];
  int64_t before = busy_until.load();
  int64_t done = 0;
  do {
    done = std::max(before, now_ns()) + cost_ns;
  } while (!busy_until.compare_exchange_weak(before, done));
  return done;
}

// The parts of a request on one target are one request of that target: a file's stripes lie there one after another.
Reservation reserve_stripes(const Extent &extent) {
  const Device &d = configuration().device;
  const Striping striping = striping_of(extent.descriptor);
  const int64_t begin = position(extent), end = begin + extent.bytes, unit = striping.layout.stripe_bytes;
  const auto self = static_cast<uint32_t>(getpid());
  double cost_ns[max_targets] = {};
  Reservation reservation;
  for (int64_t stripe = begin / unit; stripe * unit < end; ++stripe) {
    const int64_t from = std::max(begin, stripe * unit);
    const int64_t bytes = std::min(end, (stripe + 1) * unit) - from;
    double &cost = cost_ns[striping.target(stripe)];
    if (cost == 0) cost = static_cast<double>(d.latency_ns);
    cost += static_cast<double>(bytes) / d.bytes_per_ns;
    if (!extent.writes) continue;
    const uint32_t before =
        shared_state().stripe_owners.take(mixed(striping.key + static_cast<uint64_t>(stripe)), self);
    if (before == 0 || before == self) continue;
    cost += static_cast<double>(d.handover_ns);
    ++reservation.hand_overs;
    reservation.handed_over_bytes += bytes;
  }
  for (int target = 0; target < d.targets; ++target) {
    if (cost_ns[target] == 0) continue;
    const int64_t done = reserve_target(target, static_cast<int64_t>(cost_ns[target]));
    reservation.done_ns = std::max(reservation.done_ns, done);
  }
  return reservation;
}

}  // namespace

uint64_t file_key(int descriptor) { return striping_of(descriptor).key; }

FileLayout layout_of(int descriptor) { return striping_of(descriptor).layout; }

int64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * int64_t{1000000000} + now.tv_nsec;
}

Reservation reserve_device(const Extent &extent) {
  const Device &d = configuration().device;
  if (d.striped) return reserve_stripes(extent);
  const int64_t cost_ns = d.latency_ns + static_cast<int64_t>(static_cast<double>(extent.bytes) / d.bytes_per_ns);
  return {reserve_target(0, cost_ns)};
}

int64_t device_busy_until(int descriptor) {
  const Device &d = configuration().device;
  if (!d.striped) return shared_state().target_busy_until_ns[0].load();
  const Striping striping = striping_of(descriptor);
  int64_t until = 0;
  for (int64_t stripe = 0; stripe < striping.layout.stripes; ++stripe)
    until = std::max(until, shared_state().target_busy_until_ns[striping.target(stripe)].load());
  return until;
}

void sleep_until(int64_t when_ns) {
  if (when_ns - now_ns() < shortest_sleep_ns) return;
  // Without it the kernel may wake this thread 50 us late, at every request.
  thread_local const int precise = prctl(PR_SET_TIMERSLACK, 1UL);
  (void)precise;
  const timespec when{when_ns / 1000000000, when_ns % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, nullptr) == EINTR) {
  }
}

}  // namespace sv_shim
