#include "device/device.hpp"

#include <link.h>

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <utility>

#include "base/error.hpp"

namespace sv {

namespace {

/// Changes with every library that the process loads.
unsigned long long loaded_libraries() {
  unsigned long long number = 0;
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *found) {
        *static_cast<unsigned long long *>(found) = info->dlpi_adds;
        return 1;  // the number is in each of them
      },
      &number);
  return number;
}

constexpr std::array finders{loaded_cuda, loaded_hip, loaded_level_zero};

}  // namespace

/// The runtimes and devices of the process.
class Devices {
 public:
  static Devices &all() {
    static Devices *const devices = new Devices;  // never freed: the driver may end before
    return *devices;
  }
  const Device *find(const void *pointer) {
    const unsigned long long libraries = loaded_libraries();
    if (libraries != seen_.load(std::memory_order_acquire)) look_for_runtimes(libraries);
    for (const auto &each : runtimes_) {
      const DeviceRuntime *const runtime = each.load(std::memory_order_acquire);
      const auto owner = runtime == nullptr ? std::nullopt : runtime->owner_of(pointer);
      if (owner) return &device(*runtime, *owner);
    }
    return nullptr;
  }
  void free_idle() SV_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    for (const auto &[key, device] : devices_) device->free_pinned();
  }

 private:
  void look_for_runtimes(unsigned long long libraries) SV_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    for (size_t i = 0; i < finders.size(); ++i)
      if (runtimes_[i].load(std::memory_order_relaxed) == nullptr)
        runtimes_[i].store(finders[i]().release(), std::memory_order_release);
    seen_.store(libraries, std::memory_order_release);
  }
  const Device &device(const DeviceRuntime &runtime, const DeviceOwner &owner) SV_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    std::unique_ptr<Device> &found = devices_[{&runtime, owner}];
    if (found == nullptr) found = std::make_unique<Device>(runtime, owner);
    found->make_pinned();
    return *found;
  }

  std::atomic<unsigned long long> seen_{0};
  std::array<std::atomic<const DeviceRuntime *>, finders.size()> runtimes_{};
  Mutex mutex_;
  std::map<std::pair<const DeviceRuntime *, DeviceOwner>, std::unique_ptr<Device>> devices_ SV_GUARDED_BY(mutex_);
};

const Device *Device::of(const void *pointer) { return pointer == nullptr ? nullptr : Devices::all().find(pointer); }

void Device::free_idle() { Devices::all().free_idle(); }

void Device::make_pinned() const {
  const MutexLock lock(mutex_);
  if (made_ > 0) return;
  idle_.push_back(runtime_.enter(owner_)->allocate_pinned(2 * DeviceCopies::buffer_bytes));
  ++made_;
}

void Device::free_pinned() const {
  const MutexLock lock(mutex_);
  if (idle_.empty()) return;
  try {
    const auto session = runtime_.enter(owner_);
    for (std::byte *const each : idle_) session->free_pinned(each);
  } catch (const Error &) {  // the program has ended the device, and all its memory with it
  }
  made_ -= static_cast<int>(idle_.size());
  idle_.clear();
}

std::byte *Device::take_pinned(DeviceSession &session) const {
  const MutexLock lock(mutex_);
  if (idle_.empty()) {  // another thread copies
    idle_.push_back(session.allocate_pinned(2 * DeviceCopies::buffer_bytes));
    ++made_;
  }
  std::byte *const pinned = idle_.back();
  idle_.pop_back();
  return pinned;
}

void Device::give_back(std::byte *pinned) const {
  const MutexLock lock(mutex_);
  idle_.push_back(pinned);
}

DeviceCopies::DeviceCopies(const Device &device)
    : device_(device), session_(device.runtime_.enter(device.owner_)), pinned_(device.take_pinned(*session_)) {}

DeviceCopies::~DeviceCopies() {
  try {
    wait();
  } catch (const Error &) {  // nothing travels any more; the caller has this error, or another one
  }
  device_.give_back(pinned_);
}

}  // namespace sv
