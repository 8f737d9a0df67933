// Keeps floating-point exceptions from ending a model that traps them. NaN stands for "no value" in accumulators, and
// comparing it is such an exception.
#pragma once

#include <cfenv>

namespace sv::streams {

/// Local to a thread. While it lives, no floating-point operation traps. Afterwards the environment is the same as
/// before.
class QuietArithmetic {
 public:
  QuietArithmetic() : holds_(std::feholdexcept(&before_) == 0) {}
  QuietArithmetic(const QuietArithmetic &) = delete;
  QuietArithmetic &operator=(const QuietArithmetic &) = delete;
  ~QuietArithmetic() {
    if (holds_) std::fesetenv(&before_);
  }

 private:
  std::fenv_t before_{};
  bool holds_;
};

}  // namespace sv::streams
