// The runtime of a GPU that the program itself has loaded, as src/device and packing use it. An implementation
// for each vendor finds its functions by name in the process, so that nothing links a runtime, and nothing loads one
// (docs/adr/0086-memory-of-devices.md). Local.
#pragma once

#include <compare>
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

/// A device, or a context of it, by the handles of its runtime; null or 0 where the runtime needs none.
struct DeviceOwner {
  void *context = nullptr;
  uintptr_t device = 0;
  auto operator<=>(const DeviceOwner &) const = default;
};

/// The use of a device by one thread: while it lives, the device is the thread's own. All calls except free_pinned
/// throw Error(device). Nothing travels any more when it is destroyed.
class DeviceSession {
 public:
  DeviceSession() = default;
  DeviceSession(const DeviceSession &) = delete;
  DeviceSession &operator=(const DeviceSession &) = delete;
  virtual ~DeviceSession() = default;

  virtual std::byte *allocate_pinned(int64_t bytes) = 0;
  virtual void free_pinned(std::byte *memory) noexcept = 0;
  /// Returns while the rows travel, after all work that the default stream has got before, where there is such a
  /// stream.
  virtual void begin_copy(const DeviceRows &rows, Toward toward) = 0;
  virtual void wait() = 0;
};

class DeviceRuntime {
 public:
  virtual ~DeviceRuntime() = default;
  /// The owner of the memory at `pointer`; nullopt where the processor reaches it, too.
  virtual std::optional<DeviceOwner> owner_of(const void *pointer) const noexcept = 0;
  /// Throws Error(device). The runtime outlives the session.
  virtual std::unique_ptr<DeviceSession> enter(const DeviceOwner &owner) const = 0;
};

/// nullptr: the process has no such runtime.
std::unique_ptr<DeviceRuntime> loaded_cuda();
std::unique_ptr<DeviceRuntime> loaded_hip();
std::unique_ptr<DeviceRuntime> loaded_level_zero();

}  // namespace sv
