// Files of netCDF-4 that programs make in parallel: libsverdrup_netcdf4, which needs MPI, has them, and is loaded by
// the first of them. This library leads the calls with their numbers there.
#pragma once

#include <atomic>
#include <cstdint>

#include "../netcdf4/entry.h"
#include "access.hpp"

namespace sv::netcdf {

/// The function `name` of libsverdrup_netcdf4; nullptr where that library cannot be loaded.
void *find_parallel(const char *name);

inline bool is_parallel(int ncid) { return ncid >= sv_netcdf4_first; }

/// One function of libsverdrup_netcdf4, for a call with a number of one of its files: the library is loaded.
template <class Function>
class ParallelFunction {
 public:
  explicit constexpr ParallelFunction(const char *name) : name_(name) {}
  Function *operator()() const noexcept {
    void *found = found_.load(std::memory_order_relaxed);
    if (found == nullptr) found_.store(found = find_parallel(name_), std::memory_order_relaxed);
    return reinterpret_cast<Function *>(found);
  }

 private:
  const char *name_;
  mutable std::atomic<void *> found_{nullptr};
};

/// A handle of MPI in Fortran, as it is handed on.
inline void *number(int handle) { return reinterpret_cast<void *>(static_cast<intptr_t>(handle)); }

/// Collective over the communicator of the call. Makes a file in parallel: there, or by `real`.
int begin_parallel(const sv_netcdf4_call &call, int *ncid, const std::function<int()> &real);

}  // namespace sv::netcdf
