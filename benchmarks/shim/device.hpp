// The emulated device: queues that all processes of the run share. A request occupies each target that it touches for
// latency + its bytes there / rate + what hand-overs cost.
#pragma once

#include <cstdint>

#include "layouts.hpp"

namespace sv_shim {

/// A request for a part of an open file.
struct Extent {
  int descriptor;
  int64_t offset_bytes;  // of the file; at_position: where the descriptor stands
  int64_t bytes;
  bool writes;

  static constexpr int64_t at_position = -1;
};

struct Reservation {
  int64_t done_ns = 0;                            // CLOCK_MONOTONIC; when the last target is done
  int64_t hand_overs = 0, handed_over_bytes = 0;  // stripes that another process wrote last, and the bytes for them
};

/// Of an open file: another one with the same inode, made later, has another.
uint64_t file_key(int descriptor);
/// The stripes of an open file: its own, or those of the device.
FileLayout layout_of(int descriptor);
/// CLOCK_MONOTONIC.
int64_t now_ns();
/// Reserves the device for a request. Called when the request enters, so that the copy into the page cache is part of
/// the device's time and not added to it.
Reservation reserve_device(const Extent &extent);
/// When everything that has been reserved so far on the file's targets will be done.
int64_t device_busy_until(int descriptor);
/// Sleeps until then, unless that is in less than 20 µs.
void sleep_until(int64_t when_ns);

}  // namespace sv_shim
