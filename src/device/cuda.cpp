// CUDA, by its driver (libcuda.so.1), which every form of the runtime loads: nvcc links the runtime statically by
// default, so that its functions have no names in the process. The numbers are those of cuda.h, which is stable.
#include <string>

#include "base/error.hpp"
#include "device/loaded_library.hpp"
#include "device/runtime.hpp"

namespace sv {

namespace {

constexpr int attribute_context = 1, attribute_memory_type = 2, attribute_managed = 8, attribute_ordinal = 9;
constexpr int memory_host = 1, memory_device = 2;
constexpr unsigned host_alloc_portable = 1;

/// CUDA_MEMCPY2D of cuda.h.
struct Copy2d {
  size_t from_x, from_y;
  int from_type;
  const void *from_host;
  unsigned long long from_device;
  void *from_array;
  size_t from_pitch;
  size_t to_x, to_y;
  int to_type;
  void *to_host;
  unsigned long long to_device;
  void *to_array;
  size_t to_pitch;
  size_t width, height;
};

/// Functions of the driver; each returns 0 or its error.
struct Driver {
  explicit Driver(LoadedLibrary &library) {
    library.find(pointer_attribute, "cuPointerGetAttribute");
    library.find(push_context, "cuCtxPushCurrent_v2");
    library.find(pop_context, "cuCtxPopCurrent_v2");
    library.find(retain_context, "cuDevicePrimaryCtxRetain");
    library.find(release_context, "cuDevicePrimaryCtxRelease_v2");
    library.find(host_alloc, "cuMemHostAlloc");
    library.find(host_free, "cuMemFreeHost");
    library.find(copy, "cuMemcpy2DAsync_v2");
    library.find(synchronise, "cuStreamSynchronize");
    library.find(error_text, "cuGetErrorString");
  }
  int (*pointer_attribute)(void *value, int attribute, unsigned long long pointer);
  int (*push_context)(void *context);
  int (*pop_context)(void **context);
  int (*retain_context)(void **context, int device);
  int (*release_context)(int device);
  int (*host_alloc)(void **memory, size_t bytes, unsigned flags);
  int (*host_free)(void *memory);
  int (*copy)(const Copy2d *what, void *stream);
  int (*synchronise)(void *stream);
  int (*error_text)(int error, const char **text);
};

void check(const Driver &driver, const char *doing, int error) {
  if (error == 0) return;
  const char *text = nullptr;
  driver.error_text(error, &text);
  throw Error(Status::device,
              std::string(doing) + " failed: CUDA error " + std::to_string(error) +
                  (text == nullptr ? "" : std::string(" (") + text + ")"),
              "Check the pointer and the kernels before this call, with compute-sanitizer for example");
}

class CudaSession final : public DeviceSession {
 public:
  CudaSession(const Driver &driver, const DeviceOwner &owner)
      : driver_(driver), device_(static_cast<int>(owner.device)), retains_(owner.context == nullptr) {
    void *context = owner.context;
    if (retains_) check(driver_, "taking the device", driver_.retain_context(&context, device_));
    check(driver_, "taking the context of the memory", driver_.push_context(context));
  }
  ~CudaSession() override {
    void *context = nullptr;
    driver_.pop_context(&context);
    if (retains_) driver_.release_context(device_);
  }
  std::byte *allocate_pinned(int64_t bytes) override {
    void *memory = nullptr;
    check(driver_, "allocating pinned memory",
          driver_.host_alloc(&memory, static_cast<size_t>(bytes), host_alloc_portable));
    return static_cast<std::byte *>(memory);
  }
  void free_pinned(std::byte *memory) noexcept override { driver_.host_free(memory); }
  void begin_copy(const DeviceRows &rows, Toward toward) override {
    const auto address = reinterpret_cast<uintptr_t>(rows.device);
    const auto device_pitch = static_cast<size_t>(rows.device_pitch), host_pitch = static_cast<size_t>(rows.host_pitch);
    Copy2d what{};
    what.width = static_cast<size_t>(rows.width);
    what.height = static_cast<size_t>(rows.height);
    if (toward == Toward::host) {
      what.from_type = memory_device;
      what.from_device = address;
      what.from_pitch = device_pitch;
      what.to_type = memory_host;
      what.to_host = rows.host;
      what.to_pitch = host_pitch;
    } else {
      what.from_type = memory_host;
      what.from_host = rows.host;
      what.from_pitch = host_pitch;
      what.to_type = memory_device;
      what.to_device = address;
      what.to_pitch = device_pitch;
    }
    check(driver_, toward == Toward::host ? "copying from the device" : "copying to the device",
          driver_.copy(&what, nullptr));
  }
  void wait() override { check(driver_, "waiting for copies", driver_.synchronise(nullptr)); }

 private:
  const Driver &driver_;
  const int device_;
  const bool retains_;
};

/// An owner is a context; of memory from a pool, which has none, the number of the device.
class Cuda final : public DeviceRuntime {
 public:
  explicit Cuda(const Driver &driver) : driver_(driver) {}

  std::optional<DeviceOwner> owner_of(const void *pointer) const noexcept override {
    int type = 0, device = 0;
    unsigned managed = 0;
    void *context = nullptr;
    if (!ask(type, attribute_memory_type, pointer) || type != memory_device) return std::nullopt;
    if (ask(managed, attribute_managed, pointer) && managed != 0) return std::nullopt;
    if (ask(context, attribute_context, pointer) && context != nullptr) return DeviceOwner{context, 0};
    if (!ask(device, attribute_ordinal, pointer)) return std::nullopt;
    return DeviceOwner{nullptr, static_cast<uintptr_t>(device)};
  }
  std::unique_ptr<DeviceSession> enter(const DeviceOwner &owner) const override {
    return std::make_unique<CudaSession>(driver_, owner);
  }

 private:
  template <class Value>
  bool ask(Value &value, int attribute, const void *pointer) const noexcept {
    return driver_.pointer_attribute(&value, attribute, reinterpret_cast<uintptr_t>(pointer)) == 0;
  }

  const Driver driver_;
};

}  // namespace

std::unique_ptr<DeviceRuntime> loaded_cuda() {
  LoadedLibrary library("cuPointerGetAttribute", {"libcuda.so.1"});
  const Driver driver(library);
  return library.is_complete() ? std::make_unique<Cuda>(driver) : nullptr;
}

}  // namespace sv
