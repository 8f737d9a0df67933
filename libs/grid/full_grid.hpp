// The grid before land is removed: all cells of the sphere, row-major, each with four edges and corners.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sphere.hpp"
#include "sverdrup/grid.h"

namespace sv::grid {

/// The cells that a place belongs to: several where it lies on their common edge or corner, as points of a source often
/// do, or within a twentieth of a cell of it: coordinates in files are rounded (those of ETOPO5 drift by a 25th of
/// their spacing).
struct Touched {
  int n = 0;
  std::array<int64_t, 4> cells{};
};

/// The first and last interval of unit length, between whole numbers, that such a coordinate lies in.
struct Intervals {
  explicit Intervals(double x);
  int64_t first, last;
};

/// Corner c and edge e count from 0, counter-clockwise seen from outside; edge e lies between the corners e and
/// (e + 1) % 4. All lengths are in radians, areas in steradians.
class FullGrid {
 public:
  virtual ~FullGrid() = default;
  virtual std::string kind() const = 0;
  /// Slowest first.
  virtual std::vector<int> shape() const = 0;
  virtual int64_t cells() const = 0;
  /// Node numbers are below this; not all of them need exist.
  virtual int64_t nodes() const = 0;
  /// The cell across an edge; -1 at the poles of longitude-latitude grids. Symmetric.
  virtual int64_t neighbour(int64_t cell, int edge) const = 0;
  virtual std::array<int64_t, 4> corners(int64_t cell) const = 0;
  virtual Vector centre(int64_t cell) const = 0;
  virtual Vector node(int64_t number) const = 0;
  virtual Place centre_place(int64_t cell) const { return place_of(centre(cell)); }
  virtual Place node_place(int64_t number) const { return place_of(node(number)); }
  virtual double area(int64_t cell) const = 0;
  virtual double edge_length(int64_t cell, int edge) const = 0;
  virtual Touched touched(const Place &place) const = 0;
  /// The place of a cell along the Hilbert curves of the grid's squares.
  virtual uint64_t curve_key(int64_t cell) const = 0;
};

/// Throws Failure(SV_EINVAL) for a kind or size that makes no sense.
std::unique_ptr<FullGrid> make_full_grid(const sv_grid_request &request);
std::unique_ptr<FullGrid> make_lonlat(int64_t nx, int64_t ny);
std::unique_ptr<FullGrid> make_cubed_sphere(int64_t n);

}  // namespace sv::grid
