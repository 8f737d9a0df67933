#include "live_handles.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "base/mutex.hpp"

namespace sv::c {

namespace {

/// Every call asks for its handle, mostly for the same few: these are found without a lock.
class LiveHandles {
 public:
  void add(const void *handle, const Context *context) {
    const MutexLock lock(mutex_);
    contexts_[handle] = context;
  }
  void remove(const void *handle) noexcept {
    const MutexLock lock(mutex_);
    contexts_.erase(handle);
    forget(handle);
  }
  void remove_with(const Context *context) noexcept {
    const MutexLock lock(mutex_);
    std::erase_if(contexts_, [&](const auto &each) {
      if (each.second != context) return false;
      forget(each.first);
      return true;
    });
  }
  bool has(const void *handle) noexcept {
    std::atomic<const void *> &seen = place(handle);
    if (seen.load(std::memory_order_acquire) == handle) return true;
    const MutexLock lock(mutex_);
    if (contexts_.count(handle) == 0) return false;
    seen.store(handle, std::memory_order_release);
    return true;
  }

 private:
  std::atomic<const void *> &place(const void *handle) noexcept {
    return seen_[reinterpret_cast<uintptr_t>(handle) / alignof(std::max_align_t) % seen_.size()];
  }
  void forget(const void *handle) noexcept {
    if (place(handle).load(std::memory_order_acquire) == handle)
      place(handle).store(nullptr, std::memory_order_release);
  }

  Mutex mutex_;
  std::unordered_map<const void *, const Context *> contexts_ SV_GUARDED_BY(mutex_);
  std::array<std::atomic<const void *>, 64> seen_{};
};

/// Never destroyed: programs call the library at their very end, too.
LiveHandles &live_handles() {
  static auto *const all = new LiveHandles;
  return *all;
}

}  // namespace

void handle_made(const void *handle, const Context *context) { live_handles().add(handle, context); }
void handle_freed(const void *handle) noexcept { live_handles().remove(handle); }
void handles_freed_with(const Context *context) noexcept { live_handles().remove_with(context); }
bool is_live(const void *handle) noexcept { return live_handles().has(handle); }

}  // namespace sv::c
