// Geometry on the unit sphere.
#pragma once

#include <array>

namespace sv::grid {

/// As in the ocean model.
constexpr double earth_radius_m = 6371000.0;

using Vector = std::array<double, 3>;

/// In degrees; longitudes from 0 to 360.
struct Place {
  double longitude, latitude;
};

Vector vector_of(const Place &place);
/// `v` need not have the length 1.
Place place_of(const Vector &v);
Vector unit(const Vector &v);
double dot(const Vector &a, const Vector &b);
/// Along the great circle, in radians.
double angle(const Vector &a, const Vector &b);
/// Of the triangle of great circles, in steradians. Eriksson 1990, "On the measure of solid angles".
double triangle_area(const Vector &a, const Vector &b, const Vector &c);

}  // namespace sv::grid
