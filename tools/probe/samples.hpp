// Statistics of repeated measurements: medians, spreads, and the line through them.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace sv_probe {

using Samples = std::vector<double>;
/// Samples by the number of ranks that took part.
using Curve = std::map<int, Samples>;

/// The value below which the part `part` (0..1) of the samples lie, between two of them in proportion; 0 of none.
double quantile(Samples samples, double part);
inline double median(const Samples &samples) { return quantile(samples, 0.5); }
/// How many times the upper quartile is the lower one; 1 of none.
double spread(const Samples &samples);

/// first + more * (n - 1).
struct Line {
  double first = 0, more = 0;
};
/// Through the medians of the curve, by least squares; neither part is negative.
Line line_through(const Curve &curve);

/// Of rates of equal blocks, written one after another.
struct Fall {
  int blocks_before = 0;  // at the rate of the beginning
  double before = 0, after = 0;
  bool found = false;
};
/// Where the rate falls to less than half of that of the first `least` blocks, and stays there for so many at least,
/// and for half as many as came before: a neighbour who is busy for a while is no such end.
Fall find_fall(const Samples &rates, int least);

}  // namespace sv_probe
