// The bits of floats and doubles, for loops that round many of them (quantize.cpp, error_bound.cpp). Compilers turn
// these loops into vectors where they are part of a function for each kind of machine (base/by_machine.hpp). Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__GNUC__)
#define SV_IN_PLACE inline __attribute__((always_inline))
#else
#define SV_IN_PLACE inline
#endif

namespace sv {

template <class Float>
struct FloatBits;
template <>
struct FloatBits<float> {
  using Word = uint32_t;
  static constexpr Word exponent = 0x7f800000U, sign = 0x80000000U;
  static constexpr int mantissa_bits = 23;
};
template <>
struct FloatBits<double> {
  using Word = uint64_t;
  static constexpr Word exponent = 0x7ff0000000000000U, sign = 0x8000000000000000U;
  static constexpr int mantissa_bits = 52;
};

template <class Float>
SV_IN_PLACE typename FloatBits<Float>::Word word_at(const std::byte *values, int64_t i) {
  typename FloatBits<Float>::Word word;
  std::memcpy(&word, values + i * static_cast<int64_t>(sizeof word), sizeof word);
  return word;
}

template <class Word>
SV_IN_PLACE void set_word(std::byte *values, int64_t i, Word word) {
  std::memcpy(values + i * static_cast<int64_t>(sizeof word), &word, sizeof word);
}

}  // namespace sv
