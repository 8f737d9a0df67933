// Files of netCDF-4: libsverdrup_netcdf4, which needs MPI, has those of several ranks, and
// libsverdrup_netcdf4_serial the others. Each is loaded for its first file. This library leads the calls with their
// numbers there.
#pragma once

#include <atomic>
#include <cstdint>

#include "../netcdf4/entry.h"
#include "access.hpp"

namespace sv::netcdf {

enum class Led { parallel, serial };

inline bool is_led(int ncid) { return ncid >= sv_netcdf4_first && ncid < sv_netcdf4_end; }
inline Led led_by(int ncid) { return ncid >= sv_netcdf4_serial_first ? Led::serial : Led::parallel; }

/// The function `name` of that library; nullptr where the library cannot be loaded.
void *find_led(Led library, const char *name);

/// One function of both libraries, for a call with the number of one of their files: the library is loaded.
template <class Function>
class LedFunction {
 public:
  explicit constexpr LedFunction(const char *name) : name_(name) {}
  Function *operator()(int ncid) const noexcept {
    const Led library = led_by(ncid);
    std::atomic<void *> &known = found_[static_cast<size_t>(library)];
    void *found = known.load(std::memory_order_relaxed);
    if (found == nullptr) known.store(found = find_led(library, name_), std::memory_order_relaxed);
    return reinterpret_cast<Function *>(found);
  }

 private:
  const char *name_;
  mutable std::atomic<void *> found_[2] = {nullptr, nullptr};
};

/// A handle of MPI in Fortran, as it is handed on.
inline void *number(int handle) { return reinterpret_cast<void *>(static_cast<intptr_t>(handle)); }

/// Collective over the communicator of the call. Makes a file in parallel, or opens it: by `entry` of that library, or
/// by `real`.
int begin_parallel(const sv_netcdf4_call &call, int *ncid, const std::function<int()> &real,
                   const char *entry = "sv_netcdf4_create");
/// Makes a netCDF-4 file in this process, or opens it: by `entry` of that library, or by `real`.
int begin_serial(const sv_netcdf4_call &call, int *ncid, const std::function<int()> &real,
                 const char *entry = "sv_netcdf4_create");
/// Writes all puts into the serial netCDF-4 file of ours at this path, so that the program can open it again.
void settle_led_files_at(const char *path) noexcept;

}  // namespace sv::netcdf
