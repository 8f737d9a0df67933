// Counts the bytes that a program has from operator new: now, and at most. For one source file of a program.
#pragma once

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace svfuzz {
inline size_t live_bytes = 0, most_bytes = 0;
}

void *operator new(size_t bytes) {
  void *const made = std::malloc(bytes == 0 ? 1 : bytes);
  if (made == nullptr) throw std::bad_alloc();
  svfuzz::live_bytes += malloc_usable_size(made);
  svfuzz::most_bytes = std::max(svfuzz::most_bytes, svfuzz::live_bytes);
  return made;
}
void operator delete(void *made) noexcept {
  if (made != nullptr) svfuzz::live_bytes -= malloc_usable_size(made);
  std::free(made);
}
void operator delete(void *made, size_t) noexcept { operator delete(made); }
