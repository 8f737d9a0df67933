#include "layout/curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace sv {

int64_t hilbert_number(int level, int64_t x, int64_t y) {
  int64_t number = 0;
  for (int64_t half = (int64_t{1} << level) / 2; half > 0; half /= 2) {
    const bool right = (x & half) != 0, upper = (y & half) != 0;
    number += half * half * ((right ? 3 : 0) ^ (upper ? 1 : 0));
    x &= half - 1;
    y &= half - 1;
    if (upper) continue;
    if (right) {
      x = half - 1 - x;
      y = half - 1 - y;
    }
    std::swap(x, y);
  }
  return number;
}

namespace {

/// A face of the cube [−1, 1]³, and the directions in which its curve counts: along `u` it goes from its first to its
/// last corner. Of each: the axis and the sign.
struct Face {
  struct Axis {
    int axis, sign;
  } normal, u, v;
};
constexpr std::array<Face, 6> faces{{{{2, -1}, {0, 1}, {1, 1}},
                                     {{0, 1}, {1, 1}, {2, 1}},
                                     {{1, 1}, {2, 1}, {0, -1}},
                                     {{2, 1}, {0, -1}, {1, -1}},
                                     {{0, -1}, {1, -1}, {2, -1}},
                                     {{1, -1}, {2, -1}, {0, 1}}}};

/// `tangent`: of the angle from the middle of the face, from −1 to 1.
int64_t cell_of(double tangent) {
  constexpr int64_t cells = int64_t{1} << curve_level;
  const double part = (std::atan(tangent) * (4 / std::numbers::pi) + 1) / 2;
  return std::clamp(static_cast<int64_t>(std::floor(part * static_cast<double>(cells))), int64_t{0}, cells - 1);
}

}  // namespace

int64_t curve_number(double longitude, double latitude) {
  constexpr double radians = std::numbers::pi / 180;
  const double east = std::remainder(longitude, 360) * radians, north = latitude * radians;
  const std::array<double, 3> at{std::cos(north) * std::cos(east), std::cos(north) * std::sin(east), std::sin(north)};
  const auto along = [&at](const Face::Axis &axis) { return axis.sign * at[static_cast<size_t>(axis.axis)]; };
  size_t face = 0;
  for (size_t f = 1; f < faces.size(); ++f)
    if (along(faces[f].normal) > along(faces[face].normal)) face = f;
  const double height = along(faces[face].normal);
  return (static_cast<int64_t>(face) << (2 * curve_level)) +
         hilbert_number(curve_level, cell_of(along(faces[face].u) / height), cell_of(along(faces[face].v) / height));
}

}  // namespace sv
