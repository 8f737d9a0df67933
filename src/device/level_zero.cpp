// Level Zero, by its loader libze_loader: Intel GPUs, and so SYCL and OpenMP offloading to them. The numbers and
// structures are those of ze_api.h, which is stable. A pointer is looked up in a context of each driver, as MPI
// libraries do: the driver has one table of allocations for all contexts (docs/adr/0086-memory-of-devices.md).
#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/mutex.hpp"
#include "device/loaded_library.hpp"
#include "device/runtime.hpp"

namespace sv {

namespace {

constexpr uint32_t init_gpu_only = 1, type_device = 2, queue_asynchronous = 2;
constexpr uint32_t kind_context = 0xd, kind_queue = 0xe, kind_host_memory = 0x16, kind_allocation = 0x17;
constexpr size_t page_bytes = 4096;

/// ze_context_desc_t and ze_host_mem_alloc_desc_t.
struct Description {
  uint32_t kind;
  const void *next = nullptr;
  uint32_t flags = 0;
};
/// ze_command_queue_desc_t. The first group of queues of a device computes and copies.
struct QueueDescription {
  uint32_t kind = kind_queue;
  const void *next = nullptr;
  uint32_t group = 0, index = 0, flags = 0, mode = queue_asynchronous, priority = 0;
};
/// ze_memory_allocation_properties_t.
struct Allocation {
  uint32_t kind = kind_allocation;
  void *next = nullptr;
  uint32_t type = 0;
  uint64_t id = 0, page_bytes = 0;
};
/// ze_copy_region_t.
struct Region {
  uint32_t x, y, z, width, height, depth;
};

/// Functions of the loader; those of type int return 0 or their error. Handles are void *.
struct Loader {
  explicit Loader(LoadedLibrary &library) {
    library.find(init, "zeInit");
    library.find(drivers, "zeDriverGet");
    library.find_optional(default_context, "zeDriverGetDefaultContext");
    library.find(create_context, "zeContextCreate");
    library.find(allocation, "zeMemGetAllocProperties");
    library.find(host_alloc, "zeMemAllocHost");
    library.find(free, "zeMemFree");
    library.find(create_list, "zeCommandListCreateImmediate");
    library.find(copy, "zeCommandListAppendMemoryCopyRegion");
    library.find(synchronise, "zeCommandListHostSynchronize");
  }
  int (*init)(uint32_t flags);
  int (*drivers)(uint32_t *count, void **drivers);
  void *(*default_context)(void *driver);
  int (*create_context)(void *driver, const Description *description, void **context);
  int (*allocation)(void *context, const void *pointer, Allocation *found, void **device);
  int (*host_alloc)(void *context, const Description *description, size_t bytes, size_t alignment, void **memory);
  int (*free)(void *context, void *memory);
  int (*create_list)(void *context, void *device, const QueueDescription *description, void **list);
  int (*copy)(void *list, void *to, const Region *to_region, uint32_t to_pitch, uint32_t to_slice, const void *from,
              const Region *from_region, uint32_t from_pitch, uint32_t from_slice, void *signal, uint32_t waits,
              void **events);
  int (*synchronise)(void *list, uint64_t limit_ns);
};

const char *text_of(int error) {
  switch (error) {
    case 0x70000001:
      return " (the device was lost)";
    case 0x70000002:
      return " (out of host memory)";
    case 0x70000003:
      return " (out of device memory)";
    default:
      return "";
  }
}

void check(const char *doing, int error) {
  if (error == 0) return;
  std::array<char, 16> number{};
  std::snprintf(number.data(), number.size(), "0x%x", static_cast<unsigned>(error));
  throw Error(Status::device, std::string(doing) + " failed: Level Zero error " + number.data() + text_of(error),
              "Check the pointer and the kernels before this call; SYCL queues must be idle");
}

/// Command lists that no session uses. A list belongs to one thread at a time, and costs too much to make for a put.
class IdleLists {
 public:
  void *take(const Loader &loader, const DeviceOwner &owner) SV_EXCLUDES(mutex_) {
    {
      const MutexLock lock(mutex_);
      std::vector<void *> &idle = lists_[owner];
      if (!idle.empty()) {
        void *const list = idle.back();
        idle.pop_back();
        return list;
      }
    }
    const QueueDescription description;
    void *list = nullptr;
    check("making a command list",
          loader.create_list(owner.context, reinterpret_cast<void *>(owner.device), &description, &list));
    return list;
  }
  void give_back(const DeviceOwner &owner, void *list) SV_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    lists_[owner].push_back(list);
  }

 private:
  Mutex mutex_;
  std::map<DeviceOwner, std::vector<void *>> lists_ SV_GUARDED_BY(mutex_);
};

class LevelZeroSession final : public DeviceSession {
 public:
  LevelZeroSession(const Loader &loader, IdleLists &lists, const DeviceOwner &owner)
      : loader_(loader), lists_(lists), owner_(owner), list_(lists.take(loader, owner)) {}
  ~LevelZeroSession() override { lists_.give_back(owner_, list_); }
  std::byte *allocate_pinned(int64_t bytes) override {
    const Description description{kind_host_memory};
    void *memory = nullptr;
    check("allocating pinned memory",
          loader_.host_alloc(owner_.context, &description, static_cast<size_t>(bytes), page_bytes, &memory));
    return static_cast<std::byte *>(memory);
  }
  void free_pinned(std::byte *memory) noexcept override { loader_.free(owner_.context, memory); }
  void begin_copy(const DeviceRows &rows, Toward toward) override {
    const auto device_pitch = static_cast<uint32_t>(rows.device_pitch);
    const auto host_pitch = static_cast<uint32_t>(rows.host_pitch);
    const Region all{0, 0, 0, static_cast<uint32_t>(rows.width), static_cast<uint32_t>(rows.height), 0};
    if (toward == Toward::host)
      check("copying from the device", loader_.copy(list_, rows.host, &all, host_pitch, 0, rows.device, &all,
                                                    device_pitch, 0, nullptr, 0, nullptr));
    else
      check("copying to the device", loader_.copy(list_, rows.device, &all, device_pitch, 0, rows.host, &all,
                                                  host_pitch, 0, nullptr, 0, nullptr));
  }
  void wait() override { check("waiting for copies", loader_.synchronise(list_, UINT64_MAX)); }

 private:
  const Loader &loader_;
  IdleLists &lists_;
  const DeviceOwner owner_;
  void *const list_;
};

/// An owner is a context of a driver and the handle of a device, or of a part of it.
class LevelZero final : public DeviceRuntime {
 public:
  LevelZero(const Loader &loader, std::vector<void *> contexts) : loader_(loader), contexts_(std::move(contexts)) {}

  std::optional<DeviceOwner> owner_of(const void *pointer) const noexcept override {
    for (void *const context : contexts_) {
      Allocation found;
      void *device = nullptr;
      if (loader_.allocation(context, pointer, &found, &device) == 0 && found.type == type_device)
        return DeviceOwner{context, reinterpret_cast<uintptr_t>(device)};
    }
    return std::nullopt;
  }
  std::unique_ptr<DeviceSession> enter(const DeviceOwner &owner) const override {
    return std::make_unique<LevelZeroSession>(loader_, lists_, owner);
  }

 private:
  const Loader loader_;
  const std::vector<void *> contexts_;  // one of each driver
  mutable IdleLists lists_;
};

/// The context that SYCL uses, too, where the driver has such a one; otherwise a new one. nullptr: there is none.
void *context_of(const Loader &loader, void *driver) {
  void *context = loader.default_context == nullptr ? nullptr : loader.default_context(driver);
  const Description description{kind_context};
  if (context == nullptr && loader.create_context(driver, &description, &context) != 0) return nullptr;
  return context;
}

std::vector<void *> contexts_of_drivers(const Loader &loader) {
  uint32_t count = 0;
  if (loader.init(init_gpu_only) != 0 || loader.drivers(&count, nullptr) != 0) return {};
  std::vector<void *> contexts(count);
  if (count == 0 || loader.drivers(&count, contexts.data()) != 0) return {};
  contexts.resize(count);
  for (void *&each : contexts) each = context_of(loader, each);
  std::erase(contexts, nullptr);
  return contexts;
}

/// Whether the program has initialised Level Zero: only that loads a driver. Initialising it again is harmless, and
/// needed, because a program may have done so by a loader of its own that is linked statically.
bool has_driver() {
  return std::ranges::any_of(std::array{"libze_intel_gpu.so.1", "libze_intel_gpu_legacy1.so.1"},
                             [](const char *name) { return dlopen(name, RTLD_LAZY | RTLD_NOLOAD) != nullptr; });
}

}  // namespace

std::unique_ptr<DeviceRuntime> loaded_level_zero() {
  LoadedLibrary library("zeMemGetAllocProperties", {"libze_loader.so.1"});
  const Loader loader(library);
  if (!library.is_complete() || !has_driver()) return nullptr;
  std::vector<void *> contexts = contexts_of_drivers(loader);
  return contexts.empty() ? nullptr : std::make_unique<LevelZero>(loader, std::move(contexts));
}

}  // namespace sv
