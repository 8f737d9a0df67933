// The functions of the real netCDF: those that the program would have called without this library. What is not taken
// over goes there.
#pragma once

#include <atomic>

namespace sv::netcdf {

/// The function of that name behind this library in the search order of the program; otherwise that of a netCDF library
/// which the process has loaded for itself (as Python does); otherwise that of libnetcdf.so. nullptr where none has it.
void *find_real(const char *name);

/// Ends the process where there is none.
[[noreturn]] void end_without(const char *name);

/// Whether the code at an address belongs to netCDF itself, or to Sverdrup: whose calls are never taken over.
bool is_inside(const void *address);

/// One of the functions, looked up when it is first called.
template <class Function>
class Real {
 public:
  explicit Real(const char *name) : name_(name) {}
  Function *operator()() const {
    void *known = found_.load(std::memory_order_relaxed);
    if (known == nullptr) {
      known = find_real(name_);
      if (known == nullptr) end_without(name_);
      found_.store(known, std::memory_order_relaxed);
    }
    return reinterpret_cast<Function *>(known);
  }

 private:
  const char *name_;
  mutable std::atomic<void *> found_{nullptr};
};

}  // namespace sv::netcdf
