// The grid onto which fields are remapped: its axes and coordinates, which come from the file of weights, and the cells
// that each rank computes: rows of the slowest dimension.
#pragma once

#include "field.hpp"
#include "shares.hpp"
#include "weights_file.hpp"

namespace sv::streams {

/// A coordinate of each cell, or its bounds. `values`: of this rank's cells.
struct CellCoordinate {
  std::string name;
  Texts attributes;
  int64_t vertices;  // 0: one value for a cell
  std::vector<double> values;

  bool operator==(const CellCoordinate &) const = default;
};

class TargetGrid {
 public:
  /// Collective.
  TargetGrid(sv_context *io, const WeightsFile &file);

  /// Two with coordinates, if the grid is of longitudes and latitudes. Otherwise cells have coordinates().
  const std::vector<Axis> &axes() const { return axes_; }
  const std::vector<CellCoordinate> &coordinates() const { return coordinates_; }
  /// The rank of a cell.
  int64_t owner(int64_t cell) const { return rows_.owner(cell / row_cells_); }
  /// This rank's rows, and their cells.
  int64_t first_row() const { return rows_.begin(rank_); }
  int64_t rows() const { return rows_.begin(rank_ + 1) - first_row(); }
  int64_t begin() const { return first_row() * row_cells_; }
  int64_t end() const { return rows_.begin(rank_ + 1) * row_cells_; }

 private:
  bool take_rectilinear(sv_context *io, const WeightsFile &file, const std::vector<double> &latitudes,
                        const std::vector<double> &longitudes);
  void take_bounds(sv_context *io, const WeightsFile &file);
  void take_cells(const WeightsFile &file, std::vector<double> latitudes, std::vector<double> longitudes);

  int64_t rank_ = 0, row_cells_ = 1;
  Shares rows_{1, 1};
  std::vector<Axis> axes_;
  std::vector<CellCoordinate> coordinates_;
};

}  // namespace sv::streams
