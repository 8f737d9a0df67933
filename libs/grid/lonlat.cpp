// Longitude-latitude grids: periodic in longitude; nothing lies beyond the poles, where the edges have the length 0.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "curve.hpp"
#include "full_grid.hpp"

namespace sv::grid {

namespace {

class LonLat final : public FullGrid {
 public:
  LonLat(int64_t nx, int64_t ny) : nx_(nx), ny_(ny) {}

  std::string kind() const override { return "lonlat"; }
  std::vector<int> shape() const override { return {static_cast<int>(ny_), static_cast<int>(nx_)}; }
  int64_t cells() const override { return nx_ * ny_; }
  int64_t nodes() const override { return nx_ * (ny_ + 1); }

  int64_t neighbour(int64_t cell, int edge) const override {
    const int64_t i = cell % nx_, j = cell / nx_;
    switch (edge) {
      case 0:
        return j > 0 ? cell - nx_ : -1;
      case 1:
        return j * nx_ + (i + 1) % nx_;
      case 2:
        return j + 1 < ny_ ? cell + nx_ : -1;
      default:
        return j * nx_ + (i + nx_ - 1) % nx_;
    }
  }

  std::array<int64_t, 4> corners(int64_t cell) const override {
    const int64_t i = cell % nx_, row = cell - i, east = (i + 1) % nx_;
    return {row + i, row + east, row + nx_ + east, row + nx_ + i};
  }

  Vector centre(int64_t cell) const override { return vector_of(centre_place(cell)); }
  Vector node(int64_t number) const override { return vector_of(node_place(number)); }

  Place centre_place(int64_t cell) const override {
    return {360 * (static_cast<double>(cell % nx_) + 0.5) / static_cast<double>(nx_),
            -90 + 180 * (static_cast<double>(cell / nx_) + 0.5) / static_cast<double>(ny_)};
  }
  Place node_place(int64_t number) const override {
    return {360 * static_cast<double>(number % nx_) / static_cast<double>(nx_), degrees_of_row(number / nx_)};
  }

  /// sin b - sin a as a product, which keeps its digits where the rows are narrow.
  double area(int64_t cell) const override {
    const double south = radians_of_row(cell / nx_), north = radians_of_row(cell / nx_ + 1);
    return width() * 2 * std::cos((north + south) / 2) * std::sin((north - south) / 2);
  }
  double edge_length(int64_t cell, int edge) const override {
    if (edge % 2 != 0) return std::numbers::pi / static_cast<double>(ny_);
    const int64_t row = cell / nx_ + edge / 2;
    return row == 0 || row == ny_ ? 0 : width() * std::cos(radians_of_row(row));
  }

  Touched touched(const Place &place) const override {
    const double turns = place.longitude / 360;
    const auto [west, east] = Intervals((turns - std::floor(turns)) * static_cast<double>(nx_));
    const auto [south, north] = Intervals((place.latitude + 90) / 180 * static_cast<double>(ny_));
    Touched found;
    for (int64_t j = std::max<int64_t>(south, 0); j <= std::min(north, ny_ - 1); ++j)
      for (int64_t i = west; i <= east; ++i) found.cells[static_cast<size_t>(found.n++)] = j * nx_ + (i + nx_) % nx_;
    return found;
  }

  uint64_t curve_key(int64_t cell) const override {
    const int64_t i = cell % nx_, j = cell / nx_, side = std::min(nx_, ny_);
    const int64_t square = i / side + j / side;  // one of the two is 0
    return curve_place(square, side, i % side, j % side);
  }

 private:
  double width() const { return 2 * std::numbers::pi / static_cast<double>(nx_); }
  double degrees_of_row(int64_t row) const { return -90 + 180 * static_cast<double>(row) / static_cast<double>(ny_); }
  double radians_of_row(int64_t row) const { return degrees_of_row(row) * std::numbers::pi / 180; }

  int64_t nx_, ny_;
};

}  // namespace

std::unique_ptr<FullGrid> make_lonlat(int64_t nx, int64_t ny) { return std::make_unique<LonLat>(nx, ny); }

}  // namespace sv::grid
