// Arithmetic on 64-bit sizes and offsets that detects overflow. All code that computes an offset from numbers of a file
// or of a user must use it.
#pragma once

#include <cstdint>

namespace sv {

/// Rounded up; both positive.
constexpr int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }
/// `value` (>= 0) rounded up to a multiple of `unit` (> 0).
constexpr int64_t align_up(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

/// Multiplies or adds into `value`; false, and `value` undefined, when the result is no int64.
[[nodiscard]] inline bool multiply_into(int64_t &value, int64_t factor) {
  return !__builtin_mul_overflow(value, factor, &value);
}
[[nodiscard]] inline bool add_into(int64_t &value, int64_t term) {
  return !__builtin_add_overflow(value, term, &value);
}

}  // namespace sv
