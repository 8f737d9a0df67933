#include "samples.hpp"

#include <algorithm>
#include <cmath>

namespace sv_probe {

double quantile(Samples samples, double part) {
  if (samples.empty()) return 0;
  std::sort(samples.begin(), samples.end());
  const double place = part * static_cast<double>(samples.size() - 1);
  const auto below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, samples.size() - 1);
  return samples[below] + (place - std::floor(place)) * (samples[above] - samples[below]);
}

double spread(const Samples &samples) {
  const double low = quantile(samples, 0.25), high = quantile(samples, 0.75);
  return low > 0 ? high / low : 1;
}

Line line_through(const Curve &curve) {
  if (curve.empty()) return {};
  double n = 0, x_mean = 0, y_mean = 0, xx = 0, xy = 0;
  for (const auto &[ranks, samples] : curve) {
    ++n;
    x_mean += ranks - 1;
    y_mean += median(samples);
  }
  x_mean /= n;
  y_mean /= n;
  for (const auto &[ranks, samples] : curve) {
    xx += (ranks - 1 - x_mean) * (ranks - 1 - x_mean);
    xy += (ranks - 1 - x_mean) * (median(samples) - y_mean);
  }
  const double more = xx > 0 ? std::max(xy / xx, 0.0) : 0;
  const double first = y_mean - more * x_mean;
  if (first >= 0) return {first, more};
  // Through the origin: the part that the ranks have in common is nothing.
  return {0, x_mean > 0 ? y_mean / x_mean : 0};
}

Fall find_fall(const Samples &rates, int least) {
  const auto n = static_cast<int>(rates.size());
  const auto middle = [&rates, n](int from, int to) {
    return median(Samples(rates.begin() + std::max(from, 0), rates.begin() + std::min(to, n)));
  };
  Fall fall;
  if (n < 2 * least) return fall;
  fall.before = middle(0, least);
  // Of the blocks at the end that are slow, a single fast or slow one aside.
  int first = n;
  while (first > 0 && middle(first - 1 - least / 2, first + least / 2) < fall.before / 2) --first;
  fall.found = n - first >= std::max(least, first / 2);
  fall.blocks_before = fall.found ? first : n;
  if (fall.found) fall.after = middle(first, n);
  return fall;
}

}  // namespace sv_probe
