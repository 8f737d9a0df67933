#include "sphere.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sv::grid {

namespace {

constexpr double degree = std::numbers::pi / 180;

Vector minus(const Vector &a, const Vector &b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

Vector cross(const Vector &a, const Vector &b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

}  // namespace

double dot(const Vector &a, const Vector &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Vector vector_of(const Place &place) {
  const double lambda = place.longitude * degree, phi = place.latitude * degree;
  return {std::cos(phi) * std::cos(lambda), std::cos(phi) * std::sin(lambda), std::sin(phi)};
}

Place place_of(const Vector &v) {
  const double longitude = std::atan2(v[1], v[0]) / degree;
  return {longitude < 0 ? longitude + 360 : longitude, std::atan2(v[2], std::hypot(v[0], v[1])) / degree};
}

Vector unit(const Vector &v) {
  const double length = std::sqrt(dot(v, v));
  return {v[0] / length, v[1] / length, v[2] / length};
}

double angle(const Vector &a, const Vector &b) {
  const Vector chord = minus(a, b);
  return 2 * std::asin(std::min(1.0, std::sqrt(dot(chord, chord)) / 2));
}

/// The triple product of the sides, rather than of the corners, keeps the digits of small triangles.
double triangle_area(const Vector &a, const Vector &b, const Vector &c) {
  const double triple = dot(a, cross(minus(b, a), minus(c, a)));
  return 2 * std::atan2(std::abs(triple), 1 + dot(a, b) + dot(b, c) + dot(c, a));
}

}  // namespace sv::grid
