// The parts of a field that the configuration selects, and its reduction or remapping in space, before any field is
// known. Values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "axis_range.hpp"

namespace sv::streams {

/// A place whose nearest cell is written.
struct Station {
  std::string name;
  double longitude, latitude;
  int64_t cell = -1;  // the nearest one of a grid with its own longitudes and latitudes, once it is known
};

struct PartRequest {
  std::vector<AxisRange> ranges;
  std::vector<Station> stations;          // empty: the whole grid
  bool has_own_stations = false;          // of a field, and not of its stream
  std::vector<std::string> station_axes;  // of the grid of Station::cell
  std::vector<double> levels;             // to which values are interpolated; empty: the field's own
  bool has_own_levels = false;
};

/// A variable of a file over the grid of a field; without `file`, a field without time.
struct GridVariable {
  std::string file, name;
};

/// The mean or sum over axes, after the operation over time.
struct ReductionRequest {
  bool is_mean = true;
  std::vector<std::string> axes;        // by name, or X, Y, Z
  std::optional<GridVariable> regions;  // numbers from 1; a result for each
  std::optional<GridVariable> weights;
};

/// Another grid, onto which the result of the operation over time is remapped.
struct GridRequest {
  std::string weights;  // a file
};

}  // namespace sv::streams
