// The state that all processes of a run share: the device's clocks, the writers of its stripes, and the counters. A
// mapping of a memory file without a name that the first preloaded process (a shell, the launcher) makes, and whose
// place it hands down as SV_SHIM_STATE; it goes with that process. A program that preloads itself may name a file of
// its own there.
#pragma once

#include <atomic>
#include <cstdint>

#include "configuration.hpp"
#include "layouts.hpp"
#include "stripe_owners.hpp"

namespace sv_shim {

/// The families of write and of read first, each of `family` functions.
enum class Function {
  write,
  pwrite,
  writev,
  pwritev,
  aio_write,
  read,
  pread,
  readv,
  preadv,
  aio_read,
  fsync,
  fdatasync,
  open,
  close,
  rename,
  ftruncate,
  hand_over  // no function: stripes written that another process wrote last, and the bytes for them
};
constexpr int functions = 17, family = 5;
extern const char *const function_names[functions];

struct Count {
  std::atomic<int64_t> calls, bytes;  // calls that succeeded
};

/// Zero at the beginning, except `run`.
struct SharedState {
  std::atomic<int64_t> target_busy_until_ns[max_targets];  // CLOCK_MONOTONIC; of a device without targets the first
  StripeOwners stripe_owners;
  FileLayouts layouts;
  std::atomic<int64_t> fault_operations[max_faults];  // per fault: matching operations so far
  Count counts[functions];
  std::atomic<int64_t> run;  // a random number other than 0, from the first process on
};

/// Made at the first use. Ends the process with a message when it cannot be had.
SharedState &shared_state();

/// Writes the counts as JSON, {"pwrite": {"calls": 3, "bytes": 4096}, ...}, to SV_SHIM_COUNTS; the last writer wins.
void write_counts();

}  // namespace sv_shim
