// The functions of the real PnetCDF: those that the program would have called without this library. What is not taken
// over goes there.
#pragma once

#include <atomic>

namespace sv::pnetcdf {

/// The function of that name behind this library in the search order of the program; where none is there, as in a
/// program that is linked to this library alone, that of libpnetcdf.so. Ends the process where there is none at all.
void *real_function(const char *name);

/// One of them, looked up when it is first called.
template <class Function>
class Real {
 public:
  explicit Real(const char *name) : name_(name) {}
  Function *operator()() const {
    void *known = found_.load(std::memory_order_relaxed);
    if (known == nullptr) found_.store(known = real_function(name_), std::memory_order_relaxed);
    return reinterpret_cast<Function *>(known);
  }

 private:
  const char *name_;
  mutable std::atomic<void *> found_{nullptr};
};

}  // namespace sv::pnetcdf
