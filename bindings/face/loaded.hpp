// The libraries of a process that one of ours stands in for: netCDF libraries for libsverdrup_netcdf, PnetCDF libraries
// for libsverdrup_pnetcdf. A process may have loaded several, under any file name, and visible only to some of its
// code. A call that ours does not answer goes to the library that its caller would have reached without ours.
//
// A real library calls its own public functions through the dynamic linker, which brings it to ours. With one such
// library in the process, the call goes back to it. Where there are several, the caller may not show which of them
// called: then each is bound to itself, and never calls ours again (docs/adr/0070-real-libraries.md).
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "recursive_mutex.hpp"

namespace sv::face {

/// For all threads at any time. Never destroyed.
class LoadedLibraries {
 public:
  LoadedLibraries() = default;
  LoadedLibraries(const LoadedLibraries &) = delete;

  /// The function `name` that code at `caller` would call without ours; nullptr where no library has it. `caller` may
  /// be nullptr: any library then.
  void *find(const char *name, const void *caller);
  /// The same. Ends the process where no library has it.
  void *must_find(const char *name, const void *caller);
  /// Whether code at an address belongs to one of them.
  bool contain(const void *address);
  /// Grows whenever the process loads or unloads a library.
  static uint64_t generation();
  /// Whether all callers reach the same library, in this generation.
  bool are_one(uint64_t generation) const { return one_in_.load(std::memory_order_acquire) == generation; }

  /// Where a library lies in memory, and the part of it that is read-only once it is relocated.
  struct Object {
    std::string path;
    uintptr_t bias = 0, fixed = 0, fixed_end = 0;
  };

 private:
  struct Library {
    const void *base;
    Object object;
    bool is_bound = false;  // to itself
  };
  void refresh() SV_REQUIRES(mutex_);
  const Library *at(const void *base) const SV_REQUIRES(mutex_);
  const Library *chosen(const void *caller) SV_REQUIRES(mutex_);
  const Library *reached_from(const void *caller) const SV_REQUIRES(mutex_);

  RecursiveMutex mutex_;  // a library that is loaded may call ours
  uint64_t generation_ SV_GUARDED_BY(mutex_) = 0;
  std::atomic<uint64_t> one_in_{0};
  std::vector<Library> libraries_ SV_GUARDED_BY(mutex_);  // in the order of loading
  // The last refresh found new ones, and no call was traced to them yet.
  bool has_fresh_ SV_GUARDED_BY(mutex_) = false;
  std::unordered_map<const void *, const Library *> by_caller_ SV_GUARDED_BY(mutex_);
};

/// Those of the process. A process that has none gets that of this machine when it needs it.
LoadedLibraries &libraries();

/// One function of the real library, for a call site of ours.
template <class Function>
class RealFunction {
 public:
  explicit constexpr RealFunction(const char *name) : name_(name) {}
  /// `caller`: an address in the code that called ours. Ends the process where there is no such function, or no memory
  /// to look for it: programs in C have no handlers.
  Function *operator()(const void *caller = nullptr) const noexcept {
    const uint64_t now = LoadedLibraries::generation();
    if (generation_.load(std::memory_order_acquire) == now)
      return reinterpret_cast<Function *>(found_.load(std::memory_order_relaxed));
    void *const found = libraries().must_find(name_, caller);
    if (libraries().are_one(now)) {
      found_.store(found, std::memory_order_relaxed);
      generation_.store(now, std::memory_order_release);
    }
    return reinterpret_cast<Function *>(found);
  }

 private:
  const char *name_;
  mutable std::atomic<void *> found_{nullptr};
  mutable std::atomic<uint64_t> generation_{0};
};

}  // namespace sv::face
