// Exact sums of doubles: the result is the sum of all terms, rounded once. It does not depend on their order, so that
// sums over cells have the same bits for any number of ranks. The terms are added to one wide integer whose digits are
// machine integers, as in Kulisch, Miranker 1981, "Computer Arithmetic in Theory and Practice". Values; local.
#pragma once

#include <array>
#include <cstdint>

namespace sv::streams {

/// Sums of several ranks are added element by element.
class ExactSum {
 public:
  /// 67 digits of 32 bits span all doubles; then the numbers of NaN, infinity, -infinity, and of all terms.
  static constexpr int digits = 67, nans = 67, infinities = 68, negative_infinities = 69, terms = 70, words = 71;

  void add(double value);
  /// Before sums of ranks are added: brings each digit below 2^32, so that 2^31 sums can be added.
  void carry();
  double value();
  int64_t count() const { return words_[terms]; }
  int64_t *data() { return words_.data(); }

 private:
  std::array<int64_t, words> words_{};
};

}  // namespace sv::streams
