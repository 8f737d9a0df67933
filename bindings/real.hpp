// The functions of the library that one of ours stands in for: those that the program would have called without ours.
// What is not taken over goes there.
#pragma once

#include <atomic>

namespace sv {

/// One of them. `look_up`, which never returns nullptr, is asked at the first call.
template <class Function, void *(*look_up)(const char *name)>
class RealFunction {
 public:
  explicit RealFunction(const char *name) : name_(name) {}
  Function *operator()() const {
    void *known = found_.load(std::memory_order_relaxed);
    if (known == nullptr) found_.store(known = look_up(name_), std::memory_order_relaxed);
    return reinterpret_cast<Function *>(known);
  }

 private:
  const char *name_;
  mutable std::atomic<void *> found_{nullptr};
};

}  // namespace sv
