// Cubed spheres, gnomonic and equiangular: Ronchi, Iacono, Paolucci 1996, "The 'Cubed Sphere': a new method for the
// solution of partial differential equations in spherical geometry".
//
// Everything is found on a lattice: the cube from -n to n in three whole coordinates, on whose surface nodes have the
// parity of n in all of them, and centres of cells the other parity in two. tan(pi/4 c/n) of each coordinate c then
// points to the place on the sphere. A cell beyond an edge of a face is the one that the lattice says, in whole
// numbers.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "curve.hpp"
#include "full_grid.hpp"

namespace sv::grid {

namespace {

using Lattice = std::array<int64_t, 3>;

/// Right-handed: along x eastwards (on the equator), along y, outward. Faces 0 to 3 stand around the equator, the first
/// at 0 E; 4 lies at the north pole, above face 0, and 5 at the south pole, below it.
struct Face {
  Lattice x, y, out;
};
constexpr std::array<Face, 6> faces{{{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}},
                                     {{-1, 0, 0}, {0, 0, 1}, {0, 1, 0}},
                                     {{0, -1, 0}, {0, 0, 1}, {-1, 0, 0}},
                                     {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
                                     {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}},
                                     {{0, 1, 0}, {1, 0, 0}, {0, 0, -1}}}};

int64_t along(const Lattice &a, const Lattice &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Lattice sum(const Lattice &out, const Lattice &x, const Lattice &y) {
  return {out[0] + x[0] + y[0], out[1] + x[1] + y[1], out[2] + x[2] + y[2]};
}
Lattice times(int64_t factor, const Lattice &a) { return {factor * a[0], factor * a[1], factor * a[2]}; }

class CubedSphere final : public FullGrid {
 public:
  explicit CubedSphere(int64_t n) : n_(n) {
    for (int64_t c = -n; c <= n; ++c)
      tangents_.push_back(std::tan(std::numbers::pi / 4 * static_cast<double>(c) / static_cast<double>(n)));
  }

  std::string kind() const override { return "cubed_sphere"; }
  std::vector<int> shape() const override { return {6, static_cast<int>(n_), static_cast<int>(n_)}; }
  int64_t cells() const override { return 6 * n_ * n_; }
  int64_t nodes() const override { return 6 * (n_ + 1) * (n_ + 1); }

  int64_t neighbour(int64_t cell, int edge) const override {
    const auto [face, i, j] = split(cell, n_);
    constexpr std::array<std::array<int64_t, 2>, 4> steps{{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}};
    const auto [di, dj] = steps[static_cast<size_t>(edge)];
    if (i + di >= 0 && i + di < n_ && j + dj >= 0 && j + dj < n_) return cell + dj * n_ + di;
    // Around the edge of the cube: one step inward on the face that lies there.
    const Face &here = faces[static_cast<size_t>(face)];
    const Lattice beyond = di != 0 ? times(di, here.x) : times(dj, here.y);
    const Lattice side = di != 0 ? times(2 * j + 1 - n_, here.y) : times(2 * i + 1 - n_, here.x);
    return number(sum(times(n_, beyond), times(n_ - 1, here.out), side), n_, 1);
  }

  std::array<int64_t, 4> corners(int64_t cell) const override {
    const auto [face, i, j] = split(cell, n_);
    const Face &here = faces[static_cast<size_t>(face)];
    const auto node_at = [&](int64_t x, int64_t y) {
      return number(sum(times(n_, here.out), times(2 * x - n_, here.x), times(2 * y - n_, here.y)), n_ + 1, 0);
    };
    return {node_at(i, j), node_at(i + 1, j), node_at(i + 1, j + 1), node_at(i, j + 1)};
  }

  Vector centre(int64_t cell) const override { return on_sphere(lattice(cell, n_, 1)); }
  Vector node(int64_t id) const override { return on_sphere(lattice(id, n_ + 1, 0)); }

  double area(int64_t cell) const override {
    const auto ids = corners(cell);
    const Vector a = node(ids[0]), b = node(ids[1]), c = node(ids[2]), d = node(ids[3]);
    return triangle_area(a, b, c) + triangle_area(a, c, d);
  }
  double edge_length(int64_t cell, int edge) const override {
    const auto ids = corners(cell);
    return angle(node(ids[static_cast<size_t>(edge)]), node(ids[static_cast<size_t>(edge + 1) % 4]));
  }

  Touched touched(const Place &place) const override {
    const Vector v = vector_of(place);
    size_t face = 0;
    for (size_t f = 1; f < faces.size(); ++f)
      if (out_of(faces[f].out, v) > out_of(faces[face].out, v)) face = f;
    const auto cells_along = [&](const Lattice &axis) {
      const double t = std::atan2(out_of(axis, v), out_of(faces[face].out, v)) * 4 / std::numbers::pi;
      const auto [first, last] = Intervals((t + 1) / 2 * static_cast<double>(n_));
      return std::pair{std::clamp<int64_t>(first, 0, n_ - 1), std::clamp<int64_t>(last, 0, n_ - 1)};
    };
    const auto [west, east] = cells_along(faces[face].x);
    const auto [south, north] = cells_along(faces[face].y);
    Touched found;
    for (int64_t j = south; j <= north; ++j)
      for (int64_t i = west; i <= east; ++i)
        found.cells[static_cast<size_t>(found.n++)] = (static_cast<int64_t>(face) * n_ + j) * n_ + i;
    return found;
  }

  uint64_t curve_key(int64_t cell) const override {
    const auto [face, i, j] = split(cell, n_);
    return curve_place(face, n_, i, j);
  }

 private:
  struct Split {
    int64_t face, i, j;
  };
  static Split split(int64_t id, int64_t side) { return {id / (side * side), id % side, id / side % side}; }

  /// Of a node (side n + 1, parity 0) or a centre (side n, parity 1).
  Lattice lattice(int64_t id, int64_t side, int64_t parity) const {
    const auto [face, i, j] = split(id, side);
    const Face &here = faces[static_cast<size_t>(face)];
    return sum(times(n_, here.out), times(2 * i + parity - n_, here.x), times(2 * j + parity - n_, here.y));
  }
  /// Back, on the first face that has it.
  int64_t number(const Lattice &at, int64_t side, int64_t parity) const {
    int64_t face = 0;
    while (along(at, faces[static_cast<size_t>(face)].out) != n_) ++face;
    const Face &there = faces[static_cast<size_t>(face)];
    const int64_t i = (along(at, there.x) + n_ - parity) / 2, j = (along(at, there.y) + n_ - parity) / 2;
    return (face * side + j) * side + i;
  }

  Vector on_sphere(const Lattice &at) const {
    const auto tangent = [this](int64_t c) { return tangents_[static_cast<size_t>(c + n_)]; };
    return unit({tangent(at[0]), tangent(at[1]), tangent(at[2])});
  }
  static double out_of(const Lattice &axis, const Vector &v) {
    return dot({static_cast<double>(axis[0]), static_cast<double>(axis[1]), static_cast<double>(axis[2])}, v);
  }

  int64_t n_;
  std::vector<double> tangents_;  // of the lattice's coordinates, from -n
};

}  // namespace

std::unique_ptr<FullGrid> make_cubed_sphere(int64_t n) { return std::make_unique<CubedSphere>(n); }

}  // namespace sv::grid
