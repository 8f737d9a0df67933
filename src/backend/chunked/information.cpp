#include "backend/chunked/information.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "backend/chunked/float_bits.hpp"
#include "base/by_machine.hpp"

namespace sv {

namespace {

constexpr int64_t least_pairs = 1024, stretch = 256, most_stretches = 256;

/// Of pairs, by bit, the lowest first: where the bit is set in the first value, in the second one, in both.
template <class Float>
struct Counts {
  static constexpr int bits = static_cast<int>(8 * sizeof(Float));
  std::array<int64_t, bits> first{}, second{}, both{};
  int64_t pairs = 0;
};

template <class Float>
bool counts_at(typename FloatBits<Float>::Word word, const std::vector<double> &kept) {
  if ((word & FloatBits<Float>::exponent) == FloatBits<Float>::exponent) return false;
  return std::find(kept.begin(), kept.end(), static_cast<double>(std::bit_cast<Float>(word))) == kept.end();
}

/// Pairs of words; 0 and 0 where one of them does not count. A loop over bits outside leaves one over words that
/// vectors hold.
template <class Float>
SV_IN_PLACE void add_pairs(const typename FloatBits<Float>::Word *first, const typename FloatBits<Float>::Word *second,
                           Counts<Float> &to) {
  using Word = typename FloatBits<Float>::Word;
  for (int bit = 0; bit < Counts<Float>::bits; ++bit) {
    Word one = 0, other = 0, both = 0;
    for (int64_t i = 0; i < stretch; ++i) {
      one += first[i] >> bit & 1U;
      other += second[i] >> bit & 1U;
      both += (first[i] & second[i]) >> bit & 1U;
    }
    to.first[static_cast<size_t>(bit)] += static_cast<int64_t>(one);
    to.second[static_cast<size_t>(bit)] += static_cast<int64_t>(other);
    to.both[static_cast<size_t>(bit)] += static_cast<int64_t>(both);
  }
}

SV_BY_MACHINE void add_floats(const uint32_t *first, const uint32_t *second, Counts<float> &to) {
  add_pairs<float>(first, second, to);
}
SV_BY_MACHINE void add_doubles(const uint64_t *first, const uint64_t *second, Counts<double> &to) {
  add_pairs<double>(first, second, to);
}

/// Stretches of values, as far from each other as all values permit.
template <class Float>
Counts<Float> counted(std::span<const std::byte> values, const std::vector<double> &kept) {
  using Word = typename FloatBits<Float>::Word;
  Counts<Float> made;
  const int64_t pairs = std::ssize(values) / static_cast<int64_t>(sizeof(Float)) - 1;
  const int64_t stretches = std::clamp<int64_t>((pairs + stretch - 1) / stretch, 0, most_stretches);
  for (int64_t s = 0; s < stretches; ++s) {
    const int64_t begin = pairs <= most_stretches * stretch ? s * stretch : (pairs - stretch) * s / (stretches - 1);
    Word first[stretch] = {}, second[stretch] = {};
    bool before = counts_at<Float>(word_at<Float>(values.data(), begin), kept);
    for (int64_t i = 0; i < std::min(stretch, pairs - begin); ++i) {
      const Word one = word_at<Float>(values.data(), begin + i), other = word_at<Float>(values.data(), begin + i + 1);
      const bool counts = counts_at<Float>(other, kept);
      if (before && counts) {
        first[i] = one;
        second[i] = other;
        ++made.pairs;
      }
      before = counts;
    }
    if constexpr (std::is_same_v<Float, float>)
      add_floats(first, second, made);
    else
      add_doubles(first, second, made);
  }
  return made;
}

double term(double share) { return share > 0 ? -share * std::log2(share) : 0; }

/// In bits, of a coin that falls on one side with this probability.
double entropy(double share) { return term(share) + term(1 - share); }

/// Of each bit, the lowest first. Information that 1 of 100 coins would have is 0.
template <class Float>
std::vector<double> information_of(const Counts<Float> &counts) {
  const auto pairs = static_cast<double>(counts.pairs);
  constexpr double quantile = 2.5758;  // of the normal distribution
  const double by_chance = 1 - entropy(std::min(1.0, 0.5 + quantile / 2 / std::sqrt(pairs)));
  std::vector<double> made;
  for (size_t bit = 0; bit < counts.first.size(); ++bit) {
    const double one = static_cast<double>(counts.first[bit]) / pairs,
                 other = static_cast<double>(counts.second[bit]) / pairs,
                 both = static_cast<double>(counts.both[bit]) / pairs;
    const double joint = term(both) + term(one - both) + term(other - both) + term(1 - one - other + both);
    const double information = entropy(one) + entropy(other) - joint;
    made.push_back(information > by_chance ? information : 0);
  }
  return made;
}

/// The last four bits show how much the arithmetic of a model, or an earlier rounding, leaves in bits that have none.
template <class Float>
int bits_of(std::span<const std::byte> values, const std::vector<double> &kept, double share) {
  constexpr int mantissa = FloatBits<Float>::mantissa_bits;
  const Counts<Float> counts = counted<Float>(values, kept);
  if (counts.pairs < least_pairs) return mantissa;
  std::vector<double> information = information_of(counts);
  const double floor = 1.5 * *std::max_element(information.begin(), information.begin() + 4);
  double all = 0, held = 0;
  for (double &each : information) all += each = each > floor ? each : 0;
  if (all == 0) return 1;
  int needed = 0;
  for (auto each = information.rbegin(); each != information.rend() && held < (share - 1e-12) * all; ++each, ++needed)
    held += *each;
  return std::clamp(needed - (Counts<Float>::bits - mantissa), 1, mantissa);
}

/// The bits that values have which were rounded.
template <class Float>
int bits_in(const ErrorBound &share, std::span<const std::byte> values) {
  constexpr int mantissa = FloatBits<Float>::mantissa_bits;
  typename FloatBits<Float>::Word found = 0;
  for (int64_t i = 0; i < std::ssize(values) / static_cast<int64_t>(sizeof(Float)); ++i) {
    const auto word = word_at<Float>(values.data(), i);
    const bool is_subnormal = (word & FloatBits<Float>::exponent) == 0;
    if (!is_subnormal && counts_at<Float>(word, share.kept)) found |= word;
  }
  return std::max(0, mantissa - std::countr_zero(found));
}

}  // namespace

int bits_with_information(const ErrorBound &share, std::span<const std::byte> values) {
  const double part = share.quantization.bound;
  return share.type == Type::float32 ? bits_of<float>(values, share.kept, part)
                                     : bits_of<double>(values, share.kept, part);
}

/// None, where all values are special, or powers of two.
void InformedChunks::note_read(const ErrorBound &share, const ChunkKey &chunk, std::span<const std::byte> values) {
  const int bits = share.type == Type::float32 ? bits_in<float>(share, values) : bits_in<double>(share, values);
  if (bits > 0) earlier_bits_[chunk] = bits;
}

ErrorBound InformedChunks::bound_of(const ErrorBound &share, const ChunkKey &chunk,
                                    std::span<const std::byte> values) const {
  const auto earlier = earlier_bits_.find(chunk);
  const int bits = earlier != earlier_bits_.end() ? earlier->second : bits_with_information(share, values);
  ErrorBound made = share;
  made.quantization = {Quantization::Mode::relative, 1, std::ldexp(1.0, -1 - bits)};
  return made;
}

}  // namespace sv
