// Which cells of an axis a stream writes: by their numbers, or by their coordinates.
#pragma once

#include <optional>

#include "field.hpp"

namespace sv::streams {

/// A range of an axis, as the configuration has it. `axis`: its name, or X, Y or Z (CF). With `box`, the cells whose
/// coordinates lie between the two, which are included; otherwise cells from `begin` (counted from 0) to `end`
/// (exclusive), by `step`; or `cells`, in this order.
struct AxisRange {
  std::string axis;
  int64_t begin = 0, end = 0, step = 1;
  std::optional<std::pair<double, double>> box{};
  std::vector<int64_t> cells{};
  bool is_own = false;  // of a field, and not of its stream
};

/// Of "3", "0:10" or "0:30:5". Throws std::invalid_argument for another text.
AxisRange range_of_cells(const std::string &axis, const std::string &text);

/// Whether the axis has this name, or is in this direction: X, Y or Z, by its attributes `axis`, `units` and
/// `positive`.
bool is_called(const Axis &axis, const std::string &name);

/// Whether attributes are those of longitudes (X) or latitudes (Y): "degrees_east", "degree_N" ...
bool is_direction(const std::string &units, const std::string &name);
/// Whether a coordinate lies between the two. Longitudes are compared on the circle, and `high` may be below `low`.
bool lies_within(double coordinate, double low, double high, bool is_circular);

/// Some cells of an axis, in the order in which they are written.
struct PickedCells {
  Axis axis;  // with these cells alone
  std::vector<int64_t> cells;
};
PickedCells all_cells(const Axis &axis);
/// Longitudes are compared on the circle. Those of a box that begins before the place where the axis begins follow one
/// another, as from 350 to 370. Throws Failure(SV_ECONFIG), without a place, where there is no such cell.
PickedCells cells_in(const Axis &axis, const AxisRange &range);
/// The number of the cell whose coordinate is nearest; of two, the first. Longitudes are compared on the circle.
int64_t nearest_cell(const Axis &axis, double coordinate);

}  // namespace sv::streams
