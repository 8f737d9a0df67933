#include "backend/chunked/quantize.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numbers>

namespace sv {

namespace {

const double bits_of_digit = std::numbers::ln10 / std::numbers::ln2;

template <class Float>
struct Kind;
template <>
struct Kind<float> {
  using Word = uint32_t;
  static constexpr int mantissa_bits = 23;
  static constexpr Word exponent = 0x7f800000U, sign = 0x80000000U;
};
template <>
struct Kind<double> {
  using Word = uint64_t;
  static constexpr int mantissa_bits = 52;
  static constexpr Word exponent = 0x7ff0000000000000U, sign = 0x8000000000000000U;
};

/// All bits but the last ones of a mantissa, of which `bits` stay.
template <class Float>
typename Kind<Float>::Word kept(int bits) {
  using Word = typename Kind<Float>::Word;
  return static_cast<Word>(~Word{0} << (Kind<Float>::mantissa_bits - std::clamp(bits, 0, Kind<Float>::mantissa_bits)));
}

/// Rounds to the nearest value; ties go away from 0. A carry into the exponent is right.
template <class Float>
typename Kind<Float>::Word rounded(typename Kind<Float>::Word word, int bits) {
  using Word = typename Kind<Float>::Word;
  const Word stays = kept<Float>(bits), half = static_cast<Word>(~stays & (stays >> 1));
  return static_cast<Word>(word + half) & stays;
}

/// How many bits of the mantissa the significant digits of this value need: the unit of the last of them is not above
/// the last digit's.
template <class Float>
int bits_for_digits(Float value, int digits) {
  int exponent = 0;
  const double fraction = std::frexp(std::abs(static_cast<double>(value)), &exponent);
  const double log10_of_fraction = std::log10(fraction);
  const int before_point = static_cast<int>(std::floor(exponent / bits_of_digit + log10_of_fraction)) + 1;
  const int unit = static_cast<int>(std::floor(bits_of_digit * (before_point - digits)));
  return std::abs(static_cast<int>(std::floor(exponent - bits_of_digit * log10_of_fraction)) - unit) - 1;
}

/// Calls change(word, number of the element) for the elements that are quantized.
template <class Float, class ChangeWord>
void for_words(std::span<std::byte> values, std::span<const std::byte> fill, ChangeWord change) {
  using Word = typename Kind<Float>::Word;
  Word stays = 0;
  std::memcpy(&stays, fill.data(), sizeof stays);
  for (size_t i = 0; (i + 1) * sizeof(Word) <= values.size(); ++i) {
    std::byte *const at = values.data() + i * sizeof(Word);
    Word word = 0;
    std::memcpy(&word, at, sizeof word);
    const bool is_finite = (word & Kind<Float>::exponent) != Kind<Float>::exponent;
    if (word == stays || !is_finite || (word & ~Kind<Float>::sign) == 0) continue;
    word = change(word, i);
    std::memcpy(at, &word, sizeof word);
  }
}

template <class Float>
void quantize_all(std::span<std::byte> values, const Quantization &how, std::span<const std::byte> fill) {
  using Word = typename Kind<Float>::Word;
  using Mode = Quantization::Mode;
  if (how.mode == Mode::bit_round)
    for_words<Float>(values, fill, [&](Word word, size_t) { return rounded<Float>(word, how.amount); });
  if (how.mode == Mode::bit_groom) {
    const Word stays = kept<Float>(static_cast<int>(std::ceil(how.amount * bits_of_digit)) + 1);
    for_words<Float>(values, fill, [&](Word word, size_t i) {
      return i % 2 == 0 ? static_cast<Word>(word & stays) : static_cast<Word>(word | static_cast<Word>(~stays));
    });
  }
  if (how.mode == Mode::granular)
    for_words<Float>(values, fill, [&](Word word, size_t) {
      Float value;
      std::memcpy(&value, &word, sizeof value);
      return rounded<Float>(word, bits_for_digits(value, how.amount));
    });
}

}  // namespace

void quantize(std::span<std::byte> values, Type type, const Quantization &how, std::span<const std::byte> fill) {
  if (type == Type::float32) quantize_all<float>(values, how, fill);
  if (type == Type::float64) quantize_all<double>(values, how, fill);
}

}  // namespace sv
