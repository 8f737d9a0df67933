// Memory of a GPU as puts and gets see it: which device a pointer belongs to, and copies through pinned memory. The
// interfaces ask for the device of a pointer, and packing copies. Local; several threads may use it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/mutex.hpp"
#include "device/runtime.hpp"

namespace sv {

/// A device, or a context of it. Made when its memory is first passed; it exists until the process ends.
class Device {
 public:
  /// The device whose memory alone is at `pointer`; nullptr for other memory, and without a runtime. Throws
  /// Error(device) if there is no pinned memory. A runtime that the program loads later is found, too.
  static const Device *of(const void *pointer);
  /// Frees the pinned memory that is not in use. A later call of `of` allocates again.
  static void free_idle();

  Device(const DeviceRuntime &runtime, const DeviceOwner &owner) : runtime_(runtime), owner_(owner) {}

 private:
  friend class DeviceCopies;
  friend class Devices;
  std::byte *take_pinned(DeviceSession &session) const SV_EXCLUDES(mutex_);
  void give_back(std::byte *pinned) const SV_EXCLUDES(mutex_);
  void make_pinned() const SV_EXCLUDES(mutex_);
  void free_pinned() const SV_EXCLUDES(mutex_);

  const DeviceRuntime &runtime_;
  const DeviceOwner owner_;
  mutable Mutex mutex_;
  mutable std::vector<std::byte *> idle_ SV_GUARDED_BY(mutex_);
  mutable int made_ SV_GUARDED_BY(mutex_) = 0;  // those in use included
};

/// Copies of one put or get, one after the other, by way of two buffers in turn: while the caller works on one, the
/// other travels. The device is the thread's own meanwhile.
class DeviceCopies {
 public:
  static constexpr int64_t buffer_bytes = 2 << 20;

  explicit DeviceCopies(const Device &device);
  DeviceCopies(const DeviceCopies &) = delete;
  DeviceCopies &operator=(const DeviceCopies &) = delete;
  ~DeviceCopies();  // no copy uses the buffers any more

  std::byte *buffer(int number) const { return pinned_ + number * buffer_bytes; }
  void begin(const DeviceRows &rows, Toward toward) const { session_->begin_copy(rows, toward); }
  void wait() const { session_->wait(); }

 private:
  const Device &device_;
  const std::unique_ptr<DeviceSession> session_;
  std::byte *const pinned_;
};

}  // namespace sv
