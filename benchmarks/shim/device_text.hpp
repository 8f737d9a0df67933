// The text of an emulated device: RATE[,LATENCY][,targets=N][,stripe=SIZE][,stripes=K][,handover=TIME]
// [,lustre|,beegfs].
#pragma once

#include <cstdint>

namespace sv_shim {

constexpr int max_targets = 256;

/// By whose calls programs set the stripes of a file; none: they do not.
enum class FileSystem { none, lustre, beegfs };

struct Device {
  double bytes_per_ns = 0;  // of a target; 0: there is no device
  int64_t latency_ns = 0;   // of a target
  bool striped = false;     // files lie on several targets; otherwise the device is one target for everything
  int targets = 1;
  int64_t stripe_bytes = 1 << 20;
  int stripes = 1;  // targets that a file lies on
  int64_t handover_ns = 0;
  FileSystem file_system = FileSystem::none;
};

/// The error in `text`, and its correction; nullptr: none, and `device` is the result.
const char *read_device(const char *text, Device &device);

}  // namespace sv_shim
