// A lock that is held for a few instructions. It needs neither memory nor system calls while it is free, so that a
// tracer may use it inside any call of a program.
#pragma once

#include <sched.h>

#include <atomic>

namespace sv::trace {

class Lock {
 public:
  class Held {
   public:
    explicit Held(Lock &lock) : lock_(lock) {
      while (lock_.held_.exchange(true, std::memory_order_acquire)) sched_yield();
    }
    ~Held() { lock_.held_.store(false, std::memory_order_release); }
    Held(const Held &) = delete;
    Held &operator=(const Held &) = delete;

   private:
    Lock &lock_;
  };

 private:
  std::atomic<bool> held_{false};
};

}  // namespace sv::trace
