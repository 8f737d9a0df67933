// HIP, by its runtime libamdhip64, which is always shared. The numbers are those of hip_runtime_api.h.
#include <string>

#include "base/error.hpp"
#include "device/loaded_library.hpp"
#include "device/runtime.hpp"

namespace sv {

namespace {

constexpr int first_version_like_cuda = 60'000'000;  // ROCm 6 numbers the types of memory as CUDA does
constexpr unsigned host_malloc_portable = 1;
constexpr int host_to_device = 1, device_to_host = 2;

/// The beginning of hipPointerAttribute_t, the same in all versions, and room for the rest.
struct PointerAttributes {
  int type;
  int device;
  void *device_pointer, *host_pointer;
  int is_managed;
  unsigned flags;
  std::byte rest[64];
};

/// Functions of the runtime; those of type int return 0 or their error.
struct Functions {
  explicit Functions(LoadedLibrary &library) {
    library.find(version, "hipRuntimeGetVersion");
    library.find(pointer_attributes, "hipPointerGetAttributes");
    library.find(peek_at_last_error, "hipPeekAtLastError");
    library.find(take_last_error, "hipGetLastError");
    library.find(get_device, "hipGetDevice");
    library.find(set_device, "hipSetDevice");
    library.find(host_alloc, "hipHostMalloc");
    library.find(host_free, "hipHostFree");
    library.find(copy, "hipMemcpy2DAsync");
    library.find(synchronise, "hipStreamSynchronize");
    library.find(error_text, "hipGetErrorString");
  }
  int (*version)(int *number);
  int (*pointer_attributes)(PointerAttributes *attributes, const void *pointer);
  int (*peek_at_last_error)();
  int (*take_last_error)();
  int (*get_device)(int *device);
  int (*set_device)(int device);
  int (*host_alloc)(void **memory, size_t bytes, unsigned flags);
  int (*host_free)(void *memory);
  int (*copy)(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
              int direction, void *stream);
  int (*synchronise)(void *stream);
  const char *(*error_text)(int error);
};

void check(const Functions &functions, const char *doing, int error) {
  if (error == 0) return;
  const char *const text = functions.error_text(error);
  throw Error(Status::device,
              std::string(doing) + " failed: HIP error " + std::to_string(error) +
                  (text == nullptr ? "" : std::string(" (") + text + ")"),
              "Check the pointer and the kernels before this call");
}

class HipSession final : public DeviceSession {
 public:
  HipSession(const Functions &functions, int device) : functions_(functions) {
    check(functions_, "asking for the device", functions_.get_device(&before_));
    check(functions_, "taking the device of the memory", functions_.set_device(device));
  }
  ~HipSession() override { functions_.set_device(before_); }
  std::byte *allocate_pinned(int64_t bytes) override {
    void *memory = nullptr;
    check(functions_, "allocating pinned memory",
          functions_.host_alloc(&memory, static_cast<size_t>(bytes), host_malloc_portable));
    return static_cast<std::byte *>(memory);
  }
  void free_pinned(std::byte *memory) noexcept override { functions_.host_free(memory); }
  void begin_copy(const DeviceRows &rows, Toward toward) override {
    const auto device_pitch = static_cast<size_t>(rows.device_pitch), host_pitch = static_cast<size_t>(rows.host_pitch);
    const auto width = static_cast<size_t>(rows.width), height = static_cast<size_t>(rows.height);
    if (toward == Toward::host)
      check(functions_, "copying from the device",
            functions_.copy(rows.host, host_pitch, rows.device, device_pitch, width, height, device_to_host, nullptr));
    else
      check(functions_, "copying to the device",
            functions_.copy(rows.device, device_pitch, rows.host, host_pitch, width, height, host_to_device, nullptr));
  }
  void wait() override { check(functions_, "waiting for copies", functions_.synchronise(nullptr)); }

 private:
  const Functions &functions_;
  int before_ = 0;
};

/// An owner is the number of a device.
class Hip final : public DeviceRuntime {
 public:
  explicit Hip(const Functions &functions) : functions_(functions) {
    int version = 0;
    const bool is_known = functions_.version(&version) == 0;
    device_type_ = is_known && version < first_version_like_cuda ? 1 : 2;
  }

  std::optional<DeviceOwner> owner_of(const void *pointer) const noexcept override {
    PointerAttributes found{};
    const bool had_error = functions_.peek_at_last_error() != 0;
    const bool is_known = functions_.pointer_attributes(&found, pointer) == 0;
    if (!is_known && !had_error) functions_.take_last_error();  // the program must not find it
    if (!is_known || found.type != device_type_ || found.is_managed != 0) return std::nullopt;
    return DeviceOwner{nullptr, static_cast<uintptr_t>(found.device)};
  }
  std::unique_ptr<DeviceSession> enter(const DeviceOwner &owner) const override {
    return std::make_unique<HipSession>(functions_, static_cast<int>(owner.device));
  }

 private:
  const Functions functions_;
  int device_type_;
};

}  // namespace

std::unique_ptr<DeviceRuntime> loaded_hip() {
  LoadedLibrary library("hipPointerGetAttributes", {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"});
  const Functions functions(library);
  return library.is_complete() ? std::make_unique<Hip>(functions) : nullptr;
}

}  // namespace sv
