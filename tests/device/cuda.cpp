// The stand-in runtime as the driver of CUDA, of which it has the functions that the library looks for.
#include <cstdint>
#include <cstring>

#include "memory.hpp"
#include "stand_in.h"

namespace {

constexpr int success = 0, invalid_value = 1, out_of_memory = 2, illegal_address = 700, device = 2;
constexpr uintptr_t context = 0x1000;  // of the one device
thread_local int entered = 0;          // contexts on this thread's stack

}  // namespace

extern "C" {

struct CUDA_MEMCPY2D {
  size_t srcXInBytes, srcY;
  int srcMemoryType;
  const void *srcHost;
  unsigned long long srcDevice;
  void *srcArray;
  size_t srcPitch, dstXInBytes, dstY;
  int dstMemoryType;
  void *dstHost;
  unsigned long long dstDevice;
  void *dstArray;
  size_t dstPitch, WidthInBytes, Height;
};

int cuPointerGetAttribute(void *value, int attribute, unsigned long long pointer) {
  if (!stand_in::is_on_device(reinterpret_cast<const void *>(pointer))) return invalid_value;
  if (attribute == 1)
    std::memcpy(value, &context, sizeof context);
  else if (attribute == 2 || attribute == 8)
    *static_cast<int *>(value) = attribute == 2 ? device : 0;
  else
    return invalid_value;
  return success;
}
int cuCtxPushCurrent_v2(void *pushed) {
  if (reinterpret_cast<uintptr_t>(pushed) != context) return invalid_value;
  ++entered;
  return success;
}
int cuCtxPopCurrent_v2(void **popped) {
  *popped = reinterpret_cast<void *>(context);
  return entered-- > 0 ? success : invalid_value;
}
int cuDevicePrimaryCtxRetain(void **, int) { return invalid_value; }
int cuDevicePrimaryCtxRelease_v2(int) { return invalid_value; }
int cuMemHostAlloc(void **memory, size_t bytes, unsigned) {
  if (entered == 0) return invalid_value;
  *memory = stand_in::allocate_pinned(bytes);
  return *memory == nullptr ? out_of_memory : success;
}
int cuMemFreeHost(void *memory) { return stand_in::free_pinned(memory) ? success : invalid_value; }
int cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *what, void *) {
  if (entered == 0) return invalid_value;
  const bool to_host = what->srcMemoryType == device;
  const auto address = static_cast<uintptr_t>(to_host ? what->srcDevice : what->dstDevice);
  const void *const host = to_host ? what->dstHost : what->srcHost;
  const stand_in::Rows rows{reinterpret_cast<std::byte *>(address),
                            to_host ? what->srcPitch : what->dstPitch,
                            static_cast<std::byte *>(const_cast<void *>(host)),
                            to_host ? what->dstPitch : what->srcPitch,
                            what->WidthInBytes,
                            what->Height,
                            to_host};
  return stand_in::begin_copy(rows) ? success : illegal_address;
}
int cuStreamSynchronize(void *) {
  stand_in::wait();
  return success;
}
int cuGetErrorString(int error, const char **text) {
  *text = error == illegal_address ? "an illegal memory access was encountered" : "another error";
  return success;
}
const char *stand_in_copy_error(void) { return "error 700 (an illegal memory access was encountered)"; }
}
