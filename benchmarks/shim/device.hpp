// The emulated device: one queue for all processes of the run; a request occupies it for latency + bytes / rate.
#pragma once

#include <cstdint>

namespace sv_shim {

/// CLOCK_MONOTONIC.
int64_t now_ns();
/// Reserves the device for a request, and returns when it will be done (CLOCK_MONOTONIC, ns). Called when the request
/// enters, so that the copy into the page cache is part of the device's time and not added to it.
int64_t reserve_device(int64_t bytes);
/// When everything that has been reserved so far will be done.
int64_t device_busy_until();
/// Sleeps until then.
void sleep_until(int64_t when_ns);

}  // namespace sv_shim
