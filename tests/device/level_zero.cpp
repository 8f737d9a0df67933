// The stand-in runtime as the loader of Level Zero, of which it has the functions that the library looks for; its file
// has the name of the driver, without which the library asks no loader. There are two drivers: one with a context of
// its own, which knows no memory, and the one of the device.
#include <cstdint>

#include "memory.hpp"
#include "stand_in.h"

namespace {

constexpr int success = 0, device_lost = 0x70000001, out_of_host_memory = 0x70000002, uninitialized = 0x78000001,
              invalid_argument = 0x78000004;
bool is_initialised = false;
char drivers[2], contexts[2], device, list;  // their addresses are the handles

}  // namespace

extern "C" {

struct ze_desc_t {
  uint32_t stype;
  const void *pNext;
  uint32_t flags;
};
struct ze_command_queue_desc_t {
  uint32_t stype;
  const void *pNext;
  uint32_t ordinal, index, flags, mode, priority;
};
struct ze_memory_allocation_properties_t {
  uint32_t stype;
  void *pNext;
  uint32_t type;
  uint64_t id, pageSize;
};
struct ze_copy_region_t {
  uint32_t originX, originY, originZ, width, height, depth;
};

int zeInit(uint32_t flags) {
  is_initialised = flags == 1;
  return is_initialised ? success : invalid_argument;
}
int zeDriverGet(uint32_t *count, void **found) {
  if (!is_initialised) return uninitialized;
  for (uint32_t i = 0; found != nullptr && i < *count && i < 2; ++i) found[i] = &drivers[i];
  *count = 2;
  return success;
}
void *zeDriverGetDefaultContext(void *driver) { return driver == &drivers[0] ? &contexts[0] : nullptr; }
int zeContextCreate(void *driver, const ze_desc_t *description, void **context) {
  if (driver != &drivers[1] || description->stype != 0xd) return invalid_argument;
  *context = &contexts[1];
  return success;
}
int zeMemGetAllocProperties(void *context, const void *pointer, ze_memory_allocation_properties_t *found, void **of) {
  if (found->stype != 0x17 || found->pNext != nullptr) return invalid_argument;
  found->type = context == &contexts[1] && stand_in::is_on_device(pointer) ? 2 : 0;
  if (found->type != 0) *of = &device;
  return success;
}
int zeMemAllocHost(void *context, const ze_desc_t *description, size_t bytes, size_t, void **memory) {
  if (context != &contexts[1] || description->stype != 0x16) return invalid_argument;
  *memory = stand_in::allocate_pinned(bytes);
  return *memory == nullptr ? out_of_host_memory : success;
}
int zeMemFree(void *context, void *memory) {
  return context == &contexts[1] && stand_in::free_pinned(memory) ? success : invalid_argument;
}
int zeCommandListCreateImmediate(void *context, void *of, const ze_command_queue_desc_t *description, void **made) {
  if (context != &contexts[1] || of != &device || description->stype != 0xe || description->mode != 2)
    return invalid_argument;
  *made = &list;
  return success;
}
int zeCommandListAppendMemoryCopyRegion(void *on, void *to, const ze_copy_region_t *region, uint32_t to_pitch, uint32_t,
                                        const void *from, const ze_copy_region_t *, uint32_t from_pitch, uint32_t,
                                        void *, uint32_t, void **) {
  if (on != &list) return invalid_argument;
  const bool to_host = stand_in::is_on_device(from);
  auto *const target = static_cast<std::byte *>(to), *const source = static_cast<std::byte *>(const_cast<void *>(from));
  const stand_in::Rows rows{to_host ? source : target,
                            to_host ? from_pitch : to_pitch,
                            to_host ? target : source,
                            to_host ? to_pitch : from_pitch,
                            region->width,
                            region->height,
                            to_host};
  return stand_in::begin_copy(rows) ? success : device_lost;
}
int zeCommandListHostSynchronize(void *on, uint64_t) {
  if (on != &list) return invalid_argument;
  stand_in::wait();
  return success;
}
const char *stand_in_copy_error(void) { return "error 0x70000001 (the device was lost)"; }
}
