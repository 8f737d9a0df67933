#include "memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "stand_in.h"

namespace stand_in {

namespace {

struct Allocation {
  size_t bytes;
  std::byte *window;  // of device memory
};

std::mutex mutex;
std::map<const std::byte *, Allocation> on_device, pinned;  // by their first bytes
std::vector<Rows> travelling;
struct stand_in_counters counts {};
long copies_left = -1;
bool refuses_pinned = false;

[[noreturn]] void die(const char *what) {
  std::fprintf(stderr, "stand-in runtime: %s\n", what);
  std::abort();
}

/// The allocation that holds these bytes; end() where none holds them all.
auto find(std::map<const std::byte *, Allocation> &all, const std::byte *first, size_t bytes) {
  auto found = all.upper_bound(first);
  if (found == all.begin()) return all.end();
  --found;
  const bool fits = first + bytes <= found->first + found->second.bytes;
  return fits ? found : all.end();
}

size_t span(size_t pitch, const Rows &rows) { return (rows.height - 1) * pitch + rows.width; }

std::byte *window_of(std::byte *device, size_t bytes) {
  const auto found = find(on_device, device, bytes);
  if (found == on_device.end()) die("a copy outside the device memory");
  return found->second.window + (device - found->first);
}

void copy(const Rows &rows) {
  std::byte *const window = window_of(rows.device, span(rows.device_pitch, rows));
  for (size_t row = 0; row < rows.height; ++row) {
    std::byte *const device = window + row * rows.device_pitch, *const host = rows.host + row * rows.host_pitch;
    if (rows.to_host)
      std::memcpy(host, device, rows.width);
    else
      std::memcpy(device, host, rows.width);
  }
  (rows.to_host ? counts.to_host_bytes : counts.to_device_bytes) += rows.width * rows.height;
}

}  // namespace

bool is_on_device(const void *pointer) {
  const std::scoped_lock lock(mutex);
  return find(on_device, static_cast<const std::byte *>(pointer), 1) != on_device.end();
}

void *allocate_pinned(size_t bytes) {
  const std::scoped_lock lock(mutex);
  if (refuses_pinned) return nullptr;
  auto *const memory = static_cast<std::byte *>(std::malloc(bytes));
  pinned[memory] = {bytes, nullptr};
  counts.pinned_bytes += bytes;
  counts.most_pinned_bytes = std::max(counts.most_pinned_bytes, counts.pinned_bytes);
  return memory;
}

bool free_pinned(void *memory) {
  const std::scoped_lock lock(mutex);
  const auto found = pinned.find(static_cast<std::byte *>(memory));
  if (found == pinned.end()) return false;
  counts.pinned_bytes -= found->second.bytes;
  pinned.erase(found);
  std::free(memory);
  return true;
}

bool begin_copy(const Rows &rows) {
  const std::scoped_lock lock(mutex);
  if (copies_left == 0) return false;
  if (copies_left > 0) --copies_left;
  if (rows.width == 0 || rows.height == 0 || rows.width > rows.device_pitch || rows.width > rows.host_pitch)
    die("a copy of rows that are longer than a pitch, or none");
  if (find(pinned, rows.host, span(rows.host_pitch, rows)) == pinned.end()) die("a copy by memory that is not pinned");
  window_of(rows.device, span(rows.device_pitch, rows));
  for (size_t row = 0; rows.to_host && row < rows.height; ++row)
    std::memset(rows.host + row * rows.host_pitch, 0xAB, rows.width);
  travelling.push_back(rows);
  ++counts.copies;
  return true;
}

void wait() {
  const std::scoped_lock lock(mutex);
  for (const Rows &each : travelling) copy(each);
  travelling.clear();
  ++counts.waits;
}

}  // namespace stand_in

using namespace stand_in;

extern "C" {

void *stand_in_malloc(size_t bytes) {
  const std::scoped_lock lock(mutex);
  const int pages = memfd_create("device", MFD_CLOEXEC);
  if (pages < 0 || ftruncate(pages, static_cast<off_t>(bytes)) != 0) die("no memory");
  void *const device = mmap(nullptr, bytes, PROT_NONE, MAP_SHARED, pages, 0);
  void *const window = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, pages, 0);
  if (device == MAP_FAILED || window == MAP_FAILED) die("no memory");
  close(pages);
  on_device[static_cast<std::byte *>(device)] = {bytes, static_cast<std::byte *>(window)};
  return device;
}

void *stand_in_window(const void *device) {
  const std::scoped_lock lock(mutex);
  return on_device.at(static_cast<const std::byte *>(device)).window;
}

void stand_in_free(void *device) {
  const std::scoped_lock lock(mutex);
  const auto found = on_device.find(static_cast<std::byte *>(device));
  if (found == on_device.end()) die("freed what is no device memory");
  munmap(device, found->second.bytes);
  munmap(found->second.window, found->second.bytes);
  on_device.erase(found);
}

struct stand_in_counters stand_in_counts(void) {
  const std::scoped_lock lock(mutex);
  return counts;
}

void stand_in_fail(long copies) {
  const std::scoped_lock lock(mutex);
  copies_left = copies;
}

void stand_in_refuse_pinned(int refuse) {
  const std::scoped_lock lock(mutex);
  refuses_pinned = refuse != 0;
}
}
