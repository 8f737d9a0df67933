// The runtime of a GPU that the program itself has loaded, as src/device and packing use it. An implementation
// for each vendor finds its functions by name in the process, so that nothing links a runtime, and nothing loads one
// (docs/adr/0086-memory-of-devices.md). Local.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace sv {

/// Rows of `width` bytes: `device_pitch` bytes apart on the device, `host_pitch` apart in pinned memory. No pitch is
/// shorter than a row.
struct DeviceRows {
  std::byte *device;
  int64_t device_pitch;
  std::byte *host;
  int64_t host_pitch;
  int64_t width, height;
};

enum class Toward { host, device };

class DeviceRuntime {
 public:
  virtual ~DeviceRuntime() = default;
  /// Which device (or context of it) has the memory at `pointer`; nullopt where the processor reaches it, too.
  virtual std::optional<uintptr_t> owner_of(const void *pointer) const noexcept = 0;
  /// Makes this device the thread's own. Returns what leave needs.
  virtual uintptr_t enter(uintptr_t owner) const = 0;
  virtual void leave(uintptr_t owner, uintptr_t before) const noexcept = 0;

  // The following calls are made between enter and leave. All but free_pinned throw Error(device).

  virtual std::byte *allocate_pinned(int64_t bytes) const = 0;
  virtual void free_pinned(std::byte *memory) const noexcept = 0;
  /// Returns while the rows travel, after all work that the default stream has got before.
  virtual void begin_copy(const DeviceRows &rows, Toward toward) const = 0;
  virtual void wait() const = 0;
};

/// nullptr: the process has no such runtime.
std::unique_ptr<DeviceRuntime> loaded_cuda();
std::unique_ptr<DeviceRuntime> loaded_hip();

}  // namespace sv
