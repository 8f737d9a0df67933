// The loops over the cells of a field, which compilers vectorise. Each cell has its own sums.
#pragma once

#include <cstddef>
#include <type_traits>

namespace sv::streams {

/// Whether a value is valid: always, if it is not equal to another one, or if it is no NaN.
struct Always {
  bool operator()(double) const { return true; }
};
struct Unless {
  double missing;
  bool operator()(double value) const { return value != missing; }
};
struct UnlessNan {
  bool operator()(double value) const { return value == value; }
};

/// The values of the cells from `begin` to `end`, the first one at `values`.
template <class Value, class IsValid>
struct Cells {
  static constexpr bool all_valid = std::is_same_v<IsValid, Always>;

  /// Calls `update` with each cell's number, value and whether the value is valid.
  template <class Update>
  void each(const Update &update) const {
    for (size_t i = begin; i < end; ++i) {
      const auto value = static_cast<double>(values[i - begin]);
      update(i, value, is_valid(value));
    }
  }

  const Value *values;
  size_t begin, end;
  IsValid is_valid;
};

/// Adds weight · term(value), and where values may be missing, the weight.
template <class Some, class Term>
void add_terms(const Some &cells, double *sums, double *weights, double weight, const Term &term) {
  cells.each([=](size_t i, double value, bool valid) {
    sums[i] += valid ? weight * term(value) : 0.0;
    if constexpr (!Some::all_valid) weights[i] += valid ? weight : 0.0;
  });
}

/// The last step of a mean: the same, and the sums divided by the weights, or by `total` where all values are valid.
/// The division takes no time while the loop waits for memory.
template <class Some>
void add_and_divide(const Some &cells, double *sums, double *weights, double weight, double total) {
  cells.each([=](size_t i, double value, bool valid) {
    const double sum = sums[i] + (valid ? weight * value : 0.0);
    double divisor = total;
    if constexpr (!Some::all_valid) divisor = weights[i] += valid ? weight : 0.0;
    sums[i] = sum / divisor;
  });
}

/// Takes a value where replaces(value, chosen), or where no value was chosen (NaN).
template <class Some, class Replaces>
void choose(const Some &cells, double *chosen, const Replaces &replaces) {
  cells.each([=](size_t i, double value, bool valid) {
    chosen[i] = valid & (replaces(value, chosen[i]) | (chosen[i] != chosen[i])) ? value : chosen[i];
  });
}

/// The means so far, the weighted squares of the deviations from them, and the weights: West 1979, "Updating mean and
/// variance estimates: an improved method". `share`: the weight's share of all weights, where all values are valid.
struct Deviations {
  double *means, *squares, *weights;
  double weight, share;
};

template <class Some>
void add_deviations(const Some &cells, const Deviations &to) {
  cells.each([=](size_t i, double value, bool valid) {
    double share = to.share;
    if constexpr (!Some::all_valid) {
      to.weights[i] += valid ? to.weight : 0.0;
      share = to.weight / (valid ? to.weights[i] : 1.0);
    }
    const double mean = to.means[i], moved = mean + (value - mean) * share;
    to.means[i] = valid ? moved : mean;
    to.squares[i] += valid ? to.weight * (value - mean) * (value - moved) : 0.0;
  });
}

}  // namespace sv::streams
