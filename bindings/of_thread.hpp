// One object for each thread, for calls that may come after the destructors of a thread: from functions of atexit, and
// from destructors of the program.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace sv {

/// It is destroyed with its thread, and made again for a call that comes later.
template <class T>
T &of_thread() {
  alignas(T) thread_local std::byte room[sizeof(T)];
  thread_local T *own = nullptr;
  struct End {
    ~End() {
      if (own != nullptr) std::destroy_at(std::exchange(own, nullptr));
    }
  };
  [[maybe_unused]] thread_local End end;
  if (own == nullptr) own = new (static_cast<void *>(room)) T;
  return *own;
}

}  // namespace sv
