#include "backend/chunked/error_bound.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

#include "backend/chunked/float_bits.hpp"
#include "base/by_machine.hpp"
#include "base/convert.hpp"

namespace sv {

namespace {

/// Zeros, subnormal numbers, infinities and NaN.
template <class Float>
SV_IN_PLACE bool is_special(typename FloatBits<Float>::Word word) {
  const auto exponent = word & FloatBits<Float>::exponent;
  return (exponent == 0) | (exponent == FloatBits<Float>::exponent);
}

/// To multiples of `step`, a power of two: adding a number with this unit in the last place rounds. Larger values are
/// multiples of it, or nearly. A loop has elements of one size, so that vectors hold them.
template <class Float>
SV_IN_PLACE void round_to_step(const std::byte *__restrict values, std::byte *__restrict rounded, int64_t n,
                               double step) {
  using Word = typename FloatBits<Float>::Word;
  const double shift = std::ldexp(step, 52) * 1.5, limit = std::ldexp(step, 51);
  constexpr double largest = std::numeric_limits<Float>::max();
  for (int64_t i = 0; i < n; ++i) {
    const double value = std::bit_cast<Float>(word_at<Float>(values, i)), nearest = (value + shift) - shift;
    // A mask in place of a branch, which compilers make of a choice before a conversion.
    const auto rounds = -static_cast<uint64_t>((std::abs(value) < limit) & (std::abs(nearest) <= largest));
    const uint64_t made = (std::bit_cast<uint64_t>(nearest) & rounds) | (std::bit_cast<uint64_t>(value) & ~rounds);
    set_word(rounded, i, std::bit_cast<Word>(static_cast<Float>(std::bit_cast<double>(made))));
  }
  for (int64_t i = 0; i < n; ++i) {
    const Word word = word_at<Float>(values, i);
    set_word(rounded, i, is_special<Float>(word) ? word : word_at<Float>(rounded, i));
  }
}

/// BitRound: to the nearest value with the bits of `mask`; ties go away from 0.
template <class Float>
SV_IN_PLACE void round_to_bits(const std::byte *__restrict values, std::byte *__restrict rounded, int64_t n,
                               typename FloatBits<Float>::Word mask) {
  using Word = typename FloatBits<Float>::Word;
  const Word half = static_cast<Word>(~mask & (mask >> 1));
  for (int64_t i = 0; i < n; ++i) {
    const Word word = word_at<Float>(values, i), made = static_cast<Word>(word + half) & mask;
    set_word(rounded, i, is_special<Float>(word) | is_special<Float>(made) ? word : made);
  }
}

template <class Float>
SV_IN_PLACE void keep_value(const std::byte *__restrict values, std::byte *__restrict rounded, int64_t n, Float kept) {
  for (int64_t i = 0; i < n; ++i) {
    const auto word = word_at<Float>(values, i), made = word_at<Float>(rounded, i);
    const bool stays = (std::bit_cast<Float>(word) == kept) | (std::bit_cast<Float>(made) == kept);
    set_word(rounded, i, stays ? word : made);
  }
}

template <class Float>
SV_IN_PLACE bool is_lost(Float value, Float made, Float least, Float most) {
  return ((value >= least) & (made < least)) | ((value <= most) & (made > most));
}

template <class Float>
SV_IN_PLACE void keep_valid(const std::byte *__restrict values, std::byte *__restrict rounded, int64_t n, Float least,
                            Float most) {
  for (int64_t i = 0; i < n; ++i) {
    const auto word = word_at<Float>(values, i), made = word_at<Float>(rounded, i);
    set_word(rounded, i, is_lost(std::bit_cast<Float>(word), std::bit_cast<Float>(made), least, most) ? word : made);
  }
}

/// Whether a special value has changed, or another one has become infinite or NaN. `keeps_zeros`: a zero is special.
template <class Float>
SV_IN_PLACE bool loses_special(const std::byte *__restrict values, const std::byte *__restrict decoded, int64_t n,
                               bool keeps_zeros) {
  using Word = typename FloatBits<Float>::Word;
  const Word least = keeps_zeros ? 0 : 1;  // without its sign
  Word losses = 0;
  for (int64_t i = 0; i < n; ++i) {
    const Word word = word_at<Float>(values, i), made = word_at<Float>(decoded, i);
    const bool is_infinite = (made & FloatBits<Float>::exponent) == FloatBits<Float>::exponent;
    const bool stays = is_special<Float>(word) & ((word & ~FloatBits<Float>::sign) >= least);
    losses |= (word != made) & (stays | is_infinite) ? Word{1} : Word{0};
  }
  return losses != 0;
}

/// Whether a value is above `least` and not above `most`, or not at most `largest`.
template <class Float>
SV_IN_PLACE bool any_between(const std::byte *values, int64_t n, const double (&limits)[3]) {
  const auto least = static_cast<Float>(limits[0]), most = static_cast<Float>(limits[1]),
             largest = static_cast<Float>(limits[2]);
  typename FloatBits<Float>::Word found = 0;
  for (int64_t i = 0; i < n; ++i) {
    const Float size = std::abs(std::bit_cast<Float>(word_at<Float>(values, i)));
    found |= ((size > least) & (size <= most)) | !(size <= largest) ? 1 : 0;
  }
  return found != 0;
}

/// Except of special values. Several maxima, so that the loop has no chain of dependent comparisons.
template <class Float, bool Relative>
SV_IN_PLACE double largest_error(const std::byte *__restrict values, const std::byte *__restrict decoded, int64_t n) {
  const auto error_at = [=](int64_t i) __attribute__((always_inline)) {
    const double value = std::bit_cast<Float>(word_at<Float>(values, i));
    const double distance = std::abs(value - std::bit_cast<Float>(word_at<Float>(decoded, i)));
    return Relative ? distance / std::abs(value) : distance;  // of special values that are equal: 0 or NaN
  };
  constexpr int lanes = 16;
  double worst[lanes] = {};
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (int lane = 0; lane < lanes; ++lane) {
      const double error = error_at(i + lane);
      worst[lane] = error > worst[lane] ? error : worst[lane];
    }
  for (; i < n; ++i) {
    const double error = error_at(i);
    worst[0] = error > worst[0] ? error : worst[0];
  }
  return *std::max_element(worst, worst + lanes);
}

/// Whether a cell that is to stay has another value.
template <class Float>
SV_IN_PLACE bool loses_value(const std::byte *__restrict values, const std::byte *__restrict decoded, int64_t n,
                             Float kept) {
  typename FloatBits<Float>::Word losses = 0;
  for (int64_t i = 0; i < n; ++i) {
    const auto word = word_at<Float>(values, i), made = word_at<Float>(decoded, i);
    const bool is_kept = (std::bit_cast<Float>(word) == kept) | (std::bit_cast<Float>(made) == kept);
    losses |= (word != made) & is_kept ? 1 : 0;
  }
  return losses != 0;
}

template <class Float>
SV_IN_PLACE bool loses_validity(const std::byte *__restrict values, const std::byte *__restrict decoded, int64_t n,
                                Float least, Float most) {
  typename FloatBits<Float>::Word losses = 0;
  for (int64_t i = 0; i < n; ++i)
    losses |= is_lost(std::bit_cast<Float>(word_at<Float>(values, i)), std::bit_cast<Float>(word_at<Float>(decoded, i)),
                      least, most)
                  ? 1
                  : 0;
  return losses != 0;
}

bool has_range(const ErrorBound &bound) { return std::isfinite(bound.least) || std::isfinite(bound.most); }

bool is_relative(const ErrorBound &bound) { return bound.quantization.mode == Quantization::Mode::relative; }

/// The largest power of two that is twice the bound at most.
double step_of(double bound) {
  int exponent = 0;
  std::frexp(bound, &exponent);
  return std::ldexp(1.0, exponent);
}

/// The bits of a mantissa that stay.
template <class Float>
typename FloatBits<Float>::Word mask_of(const ErrorBound &bound) {
  using Word = typename FloatBits<Float>::Word;
  return static_cast<Word>(~Word{0} << (FloatBits<Float>::mantissa_bits - most_bits(bound.type, bound.quantization)));
}

/// Cells that stay in the fastest cache while several loops pass over them.
constexpr int64_t block_cells = 2048;

template <class Float>
SV_IN_PLACE void round_all(const ErrorBound &bound, const std::byte *values, std::byte *rounded, int64_t cells) {
  const double step = step_of(bound.quantization.bound);
  const auto mask = mask_of<Float>(bound);
  for (int64_t done = 0; done < cells; done += block_cells) {
    const int64_t n = std::min(block_cells, cells - done), at = done * static_cast<int64_t>(sizeof(Float));
    if (is_relative(bound))
      round_to_bits<Float>(values + at, rounded + at, n, mask);
    else
      round_to_step<Float>(values + at, rounded + at, n, step);
    for (const double kept : bound.kept) keep_value<Float>(values + at, rounded + at, n, static_cast<Float>(kept));
    if (has_range(bound))
      keep_valid<Float>(values + at, rounded + at, n, static_cast<Float>(bound.least), static_cast<Float>(bound.most));
  }
}

template <class Float>
SV_IN_PLACE double worst_of(const ErrorBound &bound, const std::byte *values, const std::byte *decoded, int64_t cells) {
  double worst = 0;
  for (int64_t done = 0; done < cells; done += block_cells) {
    const int64_t n = std::min(block_cells, cells - done), at = done * static_cast<int64_t>(sizeof(Float));
    const double error = is_relative(bound) ? largest_error<Float, true>(values + at, decoded + at, n)
                                            : largest_error<Float, false>(values + at, decoded + at, n);
    worst = std::max(worst, error);
    bool loses = loses_special<Float>(values + at, decoded + at, n,
                                      bound.quantization.encoder == Quantization::Encoder::rounding);
    for (const double kept : bound.kept)
      loses |= loses_value<Float>(values + at, decoded + at, n, static_cast<Float>(kept));
    if (has_range(bound))
      loses |= loses_validity<Float>(values + at, decoded + at, n, static_cast<Float>(bound.least),
                                     static_cast<Float>(bound.most));
    if (loses) return std::numeric_limits<double>::infinity();
  }
  return worst;
}

SV_BY_MACHINE void round_floats(const ErrorBound &bound, const std::byte *from, std::byte *to, int64_t cells) {
  round_all<float>(bound, from, to, cells);
}
SV_BY_MACHINE void round_doubles(const ErrorBound &bound, const std::byte *from, std::byte *to, int64_t cells) {
  round_all<double>(bound, from, to, cells);
}
SV_BY_MACHINE double worst_of_floats(const ErrorBound &bound, const std::byte *one, const std::byte *other,
                                     int64_t cells) {
  return worst_of<float>(bound, one, other, cells);
}
SV_BY_MACHINE double worst_of_doubles(const ErrorBound &bound, const std::byte *one, const std::byte *other,
                                      int64_t cells) {
  return worst_of<double>(bound, one, other, cells);
}

SV_BY_MACHINE bool any_float_between(const std::byte *values, int64_t n, const double (&limits)[3]) {
  return any_between<float>(values, n, limits);
}
SV_BY_MACHINE bool any_double_between(const std::byte *values, int64_t n, const double (&limits)[3]) {
  return any_between<double>(values, n, limits);
}

/// Of a numeric attribute of any type; none where it is absent or a text.
std::vector<double> numbers_in(const Variable &variable, const char *name) {
  const Attribute *const found = find_attribute(variable.attributes, name);
  if (found == nullptr || found->type == Type::text || found->type == Type::string) return {};
  std::vector<double> numbers(static_cast<size_t>(found->count));
  unpack_row(found->type, Type::float64, ByteOrder::native)(
      found->values.data(), reinterpret_cast<std::byte *>(numbers.data()), sizeof(double), found->count);
  return numbers;
}

}  // namespace

ErrorBound error_bound_of(const Variable &variable, const Quantization &quantization, const Element &fill) {
  ErrorBound made;
  if (!quantization.has_bound()) return made;
  made.quantization = quantization;
  made.type = variable.type;
  if (made.type == Type::float32)
    made.kept.push_back(std::bit_cast<float>(word_at<float>(fill.data(), 0)));
  else
    made.kept.push_back(std::bit_cast<double>(word_at<double>(fill.data(), 0)));
  for (const double each : numbers_in(variable, "missing_value")) made.kept.push_back(each);
  for (const double each : numbers_in(variable, "valid_min")) made.least = each;
  for (const double each : numbers_in(variable, "valid_max")) made.most = each;
  if (const std::vector<double> range = numbers_in(variable, "valid_range"); range.size() == 2) {
    made.least = range[0];
    made.most = range[1];
  }
  std::erase_if(made.kept, [](double each) { return std::isnan(each); });  // NaN stays anyway
  std::sort(made.kept.begin(), made.kept.end());
  made.kept.erase(std::unique(made.kept.begin(), made.kept.end()), made.kept.end());
  return made;
}

bool may_encode(const ErrorBound &bound, std::span<const std::byte> values) {
  const double unit = bound.quantization.bound, largest = 1e37;
  const bool is_sz3 = bound.quantization.encoder == Quantization::Encoder::sz3;
  const double limits[3] = {unit * 0x1p24, std::min(is_sz3 ? unit * 0x1p38 : largest, largest), largest};
  const int64_t cells = std::ssize(values) / size_of(bound.type);
  return !(bound.type == Type::float32 ? any_float_between(values.data(), cells, limits)
                                       : any_double_between(values.data(), cells, limits));
}

void round_within(const ErrorBound &bound, std::span<const std::byte> values, std::span<std::byte> rounded) {
  const int64_t cells = std::ssize(values) / size_of(bound.type);
  if (bound.type == Type::float32)
    round_floats(bound, values.data(), rounded.data(), cells);
  else
    round_doubles(bound, values.data(), rounded.data(), cells);
}

double worst_error(const ErrorBound &bound, std::span<const std::byte> values, std::span<const std::byte> decoded) {
  const int64_t cells = std::ssize(values) / size_of(bound.type);
  return bound.type == Type::float32 ? worst_of_floats(bound, values.data(), decoded.data(), cells)
                                     : worst_of_doubles(bound, values.data(), decoded.data(), cells);
}

}  // namespace sv
