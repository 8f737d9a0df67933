// The stand-in runtime as that of HIP, of which it has the functions that the library looks for.
#include <cstdint>

#include "memory.hpp"
#include "stand_in.h"

namespace {

constexpr int success = 0, invalid_value = 1, out_of_memory = 2, illegal_address = 700, device = 2;
thread_local int current = 0;  // device of this thread: the memory is of device 1
thread_local int last_error = success;

}  // namespace

extern "C" {

struct hipPointerAttribute_t {
  int type, device;
  void *devicePointer, *hostPointer;
  int isManaged;
  unsigned allocationFlags;
};

int hipRuntimeGetVersion(int *version) {
  *version = 60032830;
  return success;
}
int hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *pointer) {
  if (!stand_in::is_on_device(pointer)) return last_error = invalid_value;
  *attributes = {device, 1, nullptr, nullptr, 0, 0};
  return success;
}
int hipPeekAtLastError() { return last_error; }
int hipGetLastError() {
  const int error = last_error;
  last_error = success;
  return error;
}
int hipGetDevice(int *number) {
  *number = current;
  return success;
}
int hipSetDevice(int number) {
  current = number;
  return success;
}
int hipHostMalloc(void **memory, size_t bytes, unsigned) {
  if (current != 1) return invalid_value;
  *memory = stand_in::allocate_pinned(bytes);
  return *memory == nullptr ? out_of_memory : success;
}
int hipHostFree(void *memory) { return stand_in::free_pinned(memory) ? success : invalid_value; }
int hipMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                     int kind, void *) {
  if (current != 1) return invalid_value;
  const bool to_host = kind == 2;
  auto *const target = static_cast<std::byte *>(to), *const source = static_cast<std::byte *>(const_cast<void *>(from));
  const stand_in::Rows rows{to_host ? source : target,
                            to_host ? from_pitch : to_pitch,
                            to_host ? target : source,
                            to_host ? to_pitch : from_pitch,
                            width,
                            height,
                            to_host};
  return stand_in::begin_copy(rows) ? success : illegal_address;
}
int hipStreamSynchronize(void *) {
  stand_in::wait();
  return success;
}
const char *hipGetErrorString(int error) {
  return error == illegal_address ? "an illegal memory access was encountered" : "another error";
}
const char *stand_in_copy_error(void) { return "error 700 (an illegal memory access was encountered)"; }
}
