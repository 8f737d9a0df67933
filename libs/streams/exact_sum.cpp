#include "exact_sum.hpp"

#include <cmath>
#include <limits>

namespace sv::streams {

namespace {

constexpr int digit_bits = 32, mantissa_bits = 53;
constexpr int least_exponent = -1074;             // of the lowest bit of a double
constexpr int64_t most_terms = int64_t{1} << 30;  // before digits may overflow
constexpr int64_t digit_mask = (int64_t{1} << digit_bits) - 1;

}  // namespace

void ExactSum::add(double value) {
  if (++words_[terms] % most_terms == 0) carry();
  if (!std::isfinite(value)) {
    ++words_[value != value ? nans : value > 0 ? infinities : negative_infinities];
    return;
  }
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  auto mantissa = static_cast<int64_t>(std::ldexp(fraction, mantissa_bits));
  exponent -= mantissa_bits;
  if (exponent < least_exponent) {  // a subnormal number, whose lowest bits are 0
    mantissa /= int64_t{1} << (least_exponent - exponent);
    exponent = least_exponent;
  }
  const int place = exponent - least_exponent, digit = place / digit_bits, shift = place % digit_bits;
  const int64_t sign = mantissa < 0 ? -1 : 1;
  const auto size = static_cast<uint64_t>(sign * mantissa);
  const uint64_t low = (size & static_cast<uint64_t>(digit_mask)) << shift;
  const uint64_t high = (size >> digit_bits << shift) + (low >> digit_bits);
  int64_t *const to = words_.data() + digit;
  to[0] += sign * (static_cast<int64_t>(low) & digit_mask);
  to[1] += sign * (static_cast<int64_t>(high) & digit_mask);
  to[2] += sign * static_cast<int64_t>(high >> digit_bits);
}

void ExactSum::carry() {
  for (int i = 0; i + 1 < digits; ++i) {
    const int64_t over = words_[static_cast<size_t>(i)] >> digit_bits;  // rounds down
    words_[static_cast<size_t>(i)] -= over * (int64_t{1} << digit_bits);
    words_[static_cast<size_t>(i) + 1] += over;
  }
}

double ExactSum::value() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const bool up = words_[infinities] > 0, down = words_[negative_infinities] > 0;
  if (words_[nans] > 0 || (up && down)) return std::numeric_limits<double>::quiet_NaN();
  if (up || down) return up ? infinity : -infinity;
  carry();
  const bool is_negative = words_[digits - 1] < 0;
  if (is_negative) {
    for (int i = 0; i < digits; ++i) words_[static_cast<size_t>(i)] *= -1;
    carry();
  }
  int top = digits - 1;
  while (top > 1 && words_[static_cast<size_t>(top)] == 0) --top;
  // The two highest digits, then all below them: whether these are 0, and the next bits.
  uint64_t bits = (static_cast<uint64_t>(words_[static_cast<size_t>(top)]) << digit_bits) |
                  static_cast<uint64_t>(words_[static_cast<size_t>(top) - 1]);
  int exponent = least_exponent + (top - 1) * digit_bits;
  uint64_t below = top >= 2 ? static_cast<uint64_t>(words_[static_cast<size_t>(top) - 2]) : 0;
  bool is_more = false;
  for (int i = 0; i < top - 2; ++i) is_more = is_more || words_[static_cast<size_t>(i)] != 0;
  for (; bits != 0 && bits >> 63 == 0 && exponent > least_exponent; --exponent) {
    below <<= 1;
    bits = (bits << 1) | ((below >> digit_bits) & 1);
  }
  is_more = is_more || (below & static_cast<uint64_t>(digit_mask)) != 0;
  if (bits >> 63 == 0) {  // nothing stands below
    const double size = std::ldexp(static_cast<double>(bits), exponent);
    return is_negative ? -size : size;
  }
  constexpr int spare = 8;  // below the bits that a double holds; the lowest one stands for all that follow
  const uint64_t rest = bits & ((uint64_t{1} << spare) - 1);
  const auto shortened =
      static_cast<double>(static_cast<int64_t>((bits >> spare << 1) | (rest != 0 || is_more ? 1 : 0)));
  const double size = std::ldexp(shortened, exponent + spare - 1);
  return is_negative ? -size : size;
}

}  // namespace sv::streams
