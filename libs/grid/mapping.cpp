#include "mapping.hpp"

#include <algorithm>
#include <cmath>

namespace sv::grid {

namespace {

/// The place, in a list of coordinates in any order, of the one nearest to a value.
class Nearest {
 public:
  /// `period`: 360 for longitudes, 0 for none.
  Nearest(const std::vector<double> &values, double period) : period_(period) {
    for (size_t i = 0; i < values.size(); ++i) sorted_.push_back({wrapped(values[i]), i});
    std::sort(sorted_.begin(), sorted_.end());
  }

  size_t operator()(double value) const {
    const double wanted = wrapped(value);
    const auto above = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair<double, size_t>{wanted, 0});
    const auto high = above == sorted_.end() ? (period_ > 0 ? sorted_.begin() : above - 1) : above;
    const auto low = above == sorted_.begin() ? (period_ > 0 ? sorted_.end() - 1 : above) : above - 1;
    return distance(high->first, wanted) < distance(low->first, wanted) ? high->second : low->second;
  }

 private:
  double wrapped(double value) const { return period_ > 0 ? value - period_ * std::floor(value / period_) : value; }
  double distance(double a, double b) const {
    const double apart = std::abs(a - b);
    return period_ > 0 ? std::min(apart, period_ - apart) : apart;
  }

  double period_;
  std::vector<std::pair<double, size_t>> sorted_;
};

struct Sums {
  uint32_t points = 0, wet = 0;
  float depth = 0;  // of the wet ones; a running mean
};

void fill_empty(const Source &source, const FullGrid &grid, const std::vector<Sums> &sums, std::vector<float> &depths) {
  const Nearest longitude(source.longitudes, 360), latitude(source.latitudes, 0);
  for (size_t cell = 0; cell < depths.size(); ++cell) {
    if (sums[cell].points > 0) continue;
    const Place centre = grid.centre_place(static_cast<int64_t>(cell));
    const size_t row = latitude(centre.latitude) * source.longitudes.size();
    depths[cell] = std::max(source.depths[row + longitude(centre.longitude)], 0.0F);
  }
}

}  // namespace

std::vector<float> map_depths(const Source &source, const FullGrid &grid) {
  std::vector<Sums> sums(static_cast<size_t>(grid.cells()));
  for (size_t point = 0; point < source.points(); ++point) {
    const float depth = source.depths[point];
    const Touched touched = grid.touched(source.place(point));
    for (int i = 0; i < touched.n; ++i) {
      Sums &sum = sums[static_cast<size_t>(touched.cells[static_cast<size_t>(i)])];
      ++sum.points;
      if (depth > 0) sum.depth += (depth - sum.depth) / static_cast<float>(++sum.wet);
    }
  }
  std::vector<float> depths(sums.size(), 0);
  for (size_t cell = 0; cell < sums.size(); ++cell)
    if (2 * sums[cell].wet > sums[cell].points) depths[cell] = sums[cell].depth;
  fill_empty(source, grid, sums, depths);
  return depths;
}

}  // namespace sv::grid
