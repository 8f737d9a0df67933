#include "backend/chunked/quantize.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numbers>

#include "backend/chunked/float_bits.hpp"
#include "base/by_machine.hpp"

namespace sv {

namespace {

const double bits_of_digit = std::numbers::ln10 / std::numbers::ln2;

/// All bits but the last ones of a mantissa, of which `bits` stay.
template <class Float>
typename FloatBits<Float>::Word kept(int bits) {
  using Word = typename FloatBits<Float>::Word;
  return static_cast<Word>(
      ~Word{0} << (FloatBits<Float>::mantissa_bits - std::clamp(bits, 0, FloatBits<Float>::mantissa_bits)));
}

/// Rounding adds this before it clears the other bits: to the nearest value; ties go away from 0. A carry into the
/// exponent is right.
template <class Word>
Word half_of(Word stays) {
  return static_cast<Word>(~stays & (stays >> 1));
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

/// Gives each value the word change(word, number of the value), except the fill value, zeros, infinities and NaN.
template <class Float, class ChangeWord>
SV_IN_PLACE void change_words(std::byte *values, int64_t n, typename FloatBits<Float>::Word fill, ChangeWord change) {
  using Bits = FloatBits<Float>;
  for (int64_t i = 0; i < n; ++i) {
    const typename Bits::Word word = word_at<Float>(values, i);
    const bool is_finite = (word & Bits::exponent) != Bits::exponent, is_zero = (word & ~Bits::sign) == 0;
    set_word(values, i, (word != fill) & is_finite & !is_zero ? change(word, i) : word);
  }
}

/// `values` begins with a value whose number is even.
template <class Float>
SV_IN_PLACE void quantize_all(std::byte *values, int64_t n, const Quantization &how, const std::byte *fill_value) {
  using Word = typename FloatBits<Float>::Word;
  using Mode = Quantization::Mode;
  const Word fill = word_at<Float>(fill_value, 0);
  if (how.mode == Mode::bit_round) {
    const Word stays = kept<Float>(how.amount), half = half_of(stays);
    change_words<Float>(values, n, fill, [=](Word word, int64_t) { return static_cast<Word>(word + half) & stays; });
  }
  if (how.mode == Mode::bit_groom) {
    const Word stays = kept<Float>(static_cast<int>(std::ceil(how.amount * bits_of_digit)) + 1);
    change_words<Float>(values, n, fill, [=](Word word, int64_t i) {
      return i % 2 == 0 ? static_cast<Word>(word & stays) : static_cast<Word>(word | static_cast<Word>(~stays));
    });
  }
  if (how.mode == Mode::granular)
    change_words<Float>(values, n, fill, [&](Word word, int64_t) {
      const Word stays = kept<Float>(bits_for_digits(std::bit_cast<Float>(word), how.amount));
      return static_cast<Word>(word + half_of(stays)) & stays;
    });
}

SV_BY_MACHINE void quantize_floats(std::byte *values, int64_t n, const Quantization &how, const std::byte *fill) {
  quantize_all<float>(values, n, how, fill);
}
SV_BY_MACHINE void quantize_doubles(std::byte *values, int64_t n, const Quantization &how, const std::byte *fill) {
  quantize_all<double>(values, n, how, fill);
}

}  // namespace

/// A block stays in the fastest cache between its copy and its change.
void quantize(std::span<const std::byte> values, std::span<std::byte> quantized, Type type, const Quantization &how,
              std::span<const std::byte> fill) {
  constexpr size_t block_bytes = 16384;
  const bool is_copied = values.data() != quantized.data(), is_float = type == Type::float32;
  const auto change = is_float ? quantize_floats : quantize_doubles;
  for (size_t done = 0; done < values.size(); done += block_bytes) {
    const size_t bytes = std::min(block_bytes, values.size() - done);
    std::byte *const block = quantized.data() + done;
    if (is_copied) std::memcpy(block, values.data() + done, bytes);
    if (is_float || type == Type::float64) change(block, static_cast<int64_t>(bytes) / size_of(type), how, fill.data());
  }
}

}  // namespace sv
