// The memory and the copies of the stand-in runtime, for its functions by the names of CUDA, HIP and Level Zero.
#pragma once

#include <cstddef>

namespace stand_in {

bool is_on_device(const void *pointer);
/// Nullptr where it is refused.
void *allocate_pinned(size_t bytes);
bool free_pinned(void *memory);

struct Rows {
  std::byte *device;
  size_t device_pitch;
  std::byte *host;
  size_t host_pitch;
  size_t width, height;
  bool to_host;
};
/// False where it fails. The rows are copied by wait(); their target on the host holds other values until then.
bool begin_copy(const Rows &rows);
void wait();

}  // namespace stand_in
