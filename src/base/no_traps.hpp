// Keeps floating-point exceptions from ending the process. A model may have asked for a signal at each invalid
// operation, overflow or division by zero (feenableexcept, or its compiler's option, such as -ffpe-trap). Converting a
// NaN to an integer, or a large double to a float, is such an operation, and a defined one here. Every call of an
// interface holds a NoTraps while it works, and so do the threads that it begins, which inherit the environment of the
// thread that makes them.
#pragma once

#include <cfenv>
#if defined(__x86_64__) && defined(__GNUC__)
#include <xmmintrin.h>
#endif

namespace sv {

/// Local to a thread. While it lives, no floating-point operation traps. Afterwards the environment is what it was:
/// which operations trap, and which have been noted. Where none traps, it does nothing, which takes some nanoseconds.
class NoTraps {
 public:
  NoTraps() noexcept : holds_(are_enabled() && std::feholdexcept(&before_) == 0) {}
  NoTraps(const NoTraps &) = delete;
  NoTraps &operator=(const NoTraps &) = delete;
  ~NoTraps() {
    if (holds_) std::fesetenv(&before_);
  }

 private:
  /// Compilers' options may set the masks of vector instructions, those of the x87 or both.
  static bool are_enabled() noexcept {
#if defined(__x86_64__) && defined(__GNUC__)
    constexpr unsigned short x87_masks = 0x3f;
    unsigned short control = x87_masks;
    __asm__ volatile("fnstcw %0" : "=m"(control));
    return (_mm_getcsr() & _MM_MASK_MASK) != _MM_MASK_MASK || (control & x87_masks) != x87_masks;
#elif defined(__GLIBC__)
    return fegetexcept() != 0;
#else
    return true;
#endif
  }

  std::fenv_t before_;
  const bool holds_;
};

}  // namespace sv
