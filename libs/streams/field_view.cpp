#include "field_view.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "failure.hpp"
#include "interpolation.hpp"
#include "number_type.hpp"
#include "sverdrup/binding.h"

namespace sv::streams {

namespace {

using Numbers = std::vector<int64_t>;
/// Axes of a field, by number; the end is exclusive.
struct Span {
  size_t begin, end;
};
using Picks = std::vector<std::optional<PickedCells>>;  // by axis; none: all cells

/// This rank's cells of the grid that is divided, with their numbers in its array.
struct OwnCells {
  Numbers cells, places;
};

OwnCells own_cells(const sv_decomp *decomp, int64_t all) {
  OwnCells own;
  int64_t n = all;
  if (decomp != nullptr) must(sv_inq_decomp_cells(decomp, &n, nullptr, nullptr));
  own.cells.resize(static_cast<size_t>(n));
  own.places.resize(static_cast<size_t>(n));
  if (decomp != nullptr) must(sv_inq_decomp_cells(decomp, &n, own.cells.data(), own.places.data()));
  if (decomp == nullptr) std::iota(own.cells.begin(), own.cells.end(), int64_t{0});
  if (decomp == nullptr) own.places = own.cells;
  return own;
}

/// The numbers, in row-major order, of the selected cells of some axes.
Numbers numbers_of(const Field &field, const Picks &picks, const Span &axes) {
  Numbers made = {0};
  for (size_t d = axes.begin; d < axes.end; ++d) {
    const Numbers cells = picks[d] ? picks[d]->cells : all_cells(field.axes[d]).cells;
    Numbers next;
    for (const int64_t number : made)
      for (const int64_t cell : cells) next.push_back(number * field.axes[d].length + cell);
    made = std::move(next);
  }
  return made;
}

/// The cells of stations on the axes y and x, which may be the same one; the new axis stands where the first of them
/// was.
struct StationCells {
  size_t y, x;
  Axis axis;
  std::unordered_map<int64_t, Numbers> stations;  // of a cell y * length of x + x
};

Auxiliary coordinate_of(const Axis &axis) { return {axis.name, {}, {}, axis.attributes}; }

Auxiliary names_of(const std::vector<Station> &stations) {
  Auxiliary names{"station_name", {}, {}, {{"long_name", "name of the station"}, {"cf_role", "timeseries_id"}}};
  for (const Station &station : stations) names.texts.push_back(station.name);
  return names;
}

StationCells nearest_to(const std::vector<Station> &stations, const Field &field, size_t y, size_t x) {
  const Axis &latitude = field.axes[y], &longitude = field.axes[x];
  StationCells made{y, x, {"station", static_cast<int64_t>(stations.size()), {}, {}, {}, {}}, {}};
  Auxiliary lats = coordinate_of(latitude), lons = coordinate_of(longitude);
  for (size_t i = 0; i < stations.size(); ++i) {
    const int64_t row = nearest_cell(latitude, stations[i].latitude);
    const int64_t column = nearest_cell(longitude, stations[i].longitude);
    made.stations[row * longitude.length + column].push_back(static_cast<int64_t>(i));
    lats.values.push_back(latitude.values[static_cast<size_t>(row)]);
    lons.values.push_back(longitude.values[static_cast<size_t>(column)]);
  }
  made.axis.auxiliary = {lats, lons, names_of(stations)};
  return made;
}

/// On a grid with its own longitudes and latitudes, whose names are not those of axes.
StationCells located_on(const std::vector<Station> &stations, size_t y, size_t x, int64_t columns) {
  StationCells made{y, x, {"station", static_cast<int64_t>(stations.size()), {}, {}, {}, {}}, {}};
  Auxiliary names = names_of(stations);
  for (size_t i = 0; i < stations.size(); ++i)
    made.stations[y == x ? stations[i].cell * columns : stations[i].cell].push_back(static_cast<int64_t>(i));
  made.axis.auxiliary = {names};
  return made;
}

std::optional<size_t> axis_called(const Field &field, const std::string &name) {
  for (size_t d = 0; d < field.axes.size(); ++d)
    if (is_called(field.axes[d], name)) return d;
  return std::nullopt;
}

/// The selected part of the axes that are divided together: its axes, and the positions there of cells of the grid.
class Grid {
 public:
  Grid(const Field &field, const Picks &picks, const std::optional<StationCells> &stations, const Span &axes)
      : stations_(stations) {
    for (size_t d = axes.begin; d < axes.end; ++d) {
      const Axis &axis = field.axes[d];
      Dim dim{axis.length, {}, 0};
      if (picks[d]) dim.positions.assign(static_cast<size_t>(axis.length), -1);
      for (size_t i = 0; picks[d] && i < picks[d]->cells.size(); ++i)
        dim.positions[static_cast<size_t>(picks[d]->cells[i])] = static_cast<int64_t>(i);
      dims_.push_back(dim);
      if (is_of_stations(d) && d != std::min(stations_->y, stations_->x)) continue;
      axes_.push_back(is_of_stations(d) ? stations_->axis : picks[d] ? picks[d]->axis : axis);
      of_axis_.push_back(d - axes.begin);
    }
    int64_t stride = 1;
    for (size_t i = axes_.size(); i-- > 0; stride *= axes_[i].length) dims_[of_axis_[i]].stride = stride;
    if (stations_) y_ = stations_->y - axes.begin, x_ = stations_->x - axes.begin;
  }

  const std::vector<Axis> &axes() const { return axes_; }

  /// The positions of this rank's cells in the part, ascending, and their places in its array.
  std::pair<Numbers, Numbers> own_positions(const OwnCells &own) const {
    std::vector<std::pair<int64_t, int64_t>> found;
    for (size_t i = 0; i < own.cells.size(); ++i)
      for_positions(own.cells[i], [&](int64_t position) { found.emplace_back(position, own.places[i]); });
    std::sort(found.begin(), found.end());
    std::pair<Numbers, Numbers> made;
    for (const auto &[position, place] : found) {
      made.first.push_back(position);
      made.second.push_back(place);
    }
    return made;
  }

 private:
  /// Calls visit(position) for each place of the part in which the cell is: none, one, or several of stations.
  template <class Visit>
  void for_positions(int64_t cell, const Visit &visit) const {
    int64_t sum = 0, y = 0, x = 0;
    for (size_t d = dims_.size(); d-- > 0; cell /= dims_[d].length) {
      const int64_t i = cell % dims_[d].length;
      if (stations_ && (d == y_ || d == x_)) {
        (d == y_ ? y : x) = i;
        continue;
      }
      const int64_t at = dims_[d].positions.empty() ? i : dims_[d].positions[static_cast<size_t>(i)];
      if (at < 0) return;
      sum += at * dims_[d].stride;
    }
    if (!stations_) return visit(sum);
    const auto found = stations_->stations.find(y * dims_[x_].length + x);
    if (found == stations_->stations.end()) return;
    for (const int64_t station : found->second) visit(sum + station * dims_[std::min(y_, x_)].stride);
  }

  struct Dim {
    int64_t length;     // of the field's axis
    Numbers positions;  // by cell; -1: it is not selected. Empty: all are
    int64_t stride;     // of positions
  };
  bool is_of_stations(size_t axis) const { return stations_ && (axis == stations_->y || axis == stations_->x); }

  const std::optional<StationCells> &stations_;
  std::vector<Dim> dims_;
  std::vector<Axis> axes_;
  std::vector<size_t> of_axis_;
  size_t y_ = 0, x_ = 0;
};

bool has_pick(const Picks &picks, const Span &axes) {
  for (size_t d = axes.begin; d < axes.end; ++d)
    if (picks[d]) return true;
  return false;
}

int64_t cells_of(const Field &field, const Span &axes) {
  int64_t cells = 1;
  for (size_t d = axes.begin; d < axes.end; ++d) cells *= field.axes[d].length;
  return cells;
}

/// Whether the numbers are all from 0 to the length, in order.
bool are_all(const Numbers &numbers, int64_t length) {
  for (size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] != static_cast<int64_t>(i)) return false;
  return std::ssize(numbers) == length;
}

/// The axes that are divided together; all of them if each rank has the whole field.
Span grid_of(const Field &field) {
  if (field.decomp == nullptr) return {0, field.axes.size()};
  const auto begin = static_cast<size_t>(field.first_axis);
  return {begin, begin + static_cast<size_t>(field.grid_axes)};
}

std::optional<StationCells> stations_of(const Field &field, const PartRequest &request, const Span &grid) {
  const bool is_located = !request.station_axes.empty();
  const std::optional<size_t> y = axis_called(field, is_located ? request.station_axes.front() : "Y"),
                              x = axis_called(field, is_located ? request.station_axes.back() : "X");
  if (request.stations.empty() || !y || !x) return std::nullopt;
  if (std::min(*y, *x) < grid.begin || std::max(*y, *x) >= grid.end)
    throw Failure(SV_ECONFIG,
                  "its axes '" + field.axes[*y].name + "' and '" + field.axes[*x].name + "' are not of one grid",
                  "Select cells with 'box' or 'slices'");
  if (is_located) return located_on(request.stations, *y, *x, field.axes[*x].length);
  return nearest_to(request.stations, field, *y, *x);
}

Picks picks_of(const Field &field, const PartRequest &request, const std::optional<StationCells> &stations,
               bool is_upper) {
  Picks picks(field.axes.size());
  const auto pick = [&](size_t d, const PickedCells &cells) {
    if (picks[d] || (stations && (d == stations->y || d == stations->x)))
      throw Failure(SV_ECONFIG, "cells of axis '" + field.axes[d].name + "' are selected twice",
                    "Give one of slices, box, stations and levels");
    picks[d] = cells;
  };
  for (const AxisRange &range : request.ranges)
    for (size_t d = 0; d < picks.size(); ++d)
      if (is_called(field.axes[d], range.axis)) pick(d, cells_in(field.axes[d], range));
  if (const auto z = axis_called(field, "Z"); z && !request.levels.empty())
    pick(*z, level_cells(field.axes[*z], request.levels, is_upper));
  return picks;
}

}  // namespace

FieldView::FieldView(const Field &field, const PartRequest &request, bool is_reduced, bool is_upper)
    : field_(&field), axes_(field.axes) {
  const Span grid_axes = grid_of(field);
  const std::optional<StationCells> stations = stations_of(field, request, grid_axes);
  const Picks picks = picks_of(field, request, stations, is_upper);
  is_whole_ = !is_reduced && !stations && !has_pick(picks, {0, picks.size()});
  is_in_order_ = is_whole_;
  if (is_whole_) return;
  const bool selects_grid = is_reduced || stations || has_pick(picks, grid_axes);
  divides_anew_ = selects_grid && field.decomp != nullptr;
  const Grid grid(field, picks, stations, grid_axes);
  outer_ = numbers_of(field, picks, {0, grid_axes.begin});
  inner_ = numbers_of(field, picks, {grid_axes.end, axes_.size()});
  inner_cells_ = cells_of(field, {grid_axes.end, axes_.size()});
  level_ = static_cast<int64_t>(field.cells) / cells_of(field, {0, grid_axes.begin}) / inner_cells_;
  in_level_.resize(static_cast<size_t>(level_));
  std::iota(in_level_.begin(), in_level_.end(), int64_t{0});
  if (selects_grid)
    std::tie(positions_, in_level_) = grid.own_positions(own_cells(field.decomp, cells_of(field, grid_axes)));
  is_in_order_ = are_all(outer_, cells_of(field, {0, grid_axes.begin})) && are_all(in_level_, level_) &&
                 are_all(inner_, inner_cells_);
  first_grid_axis_ = grid_axes.begin;
  axes_.clear();
  for (size_t d = 0; d < grid_axes.begin; ++d) axes_.push_back(picks[d] ? picks[d]->axis : field.axes[d]);
  for (const Axis &axis : grid.axes()) {
    axes_.push_back(axis);
    shape_.push_back(axis.length);
  }
  for (size_t d = grid_axes.end; d < picks.size(); ++d) axes_.push_back(picks[d] ? picks[d]->axis : field.axes[d]);
}

void FieldView::divide(sv_context *io) {
  if (!divides_anew_) return;
  sv_decomp *made = nullptr;
  must(sv_def_points(io, static_cast<int>(shape_.size()), shape_.data(), static_cast<int64_t>(positions_.size()),
                     positions_.data(), SV_MASKED, &made));  // the whole grid may have masked cells
  own_decomp_ = {made, FreeDecomp()};
}

FieldView::Cells FieldView::part_cells() const {
  Cells made{outer_, positions_, inner_};
  if (positions_.empty()) made.grid.resize(in_level_.size());  // all of the grid: numbers are of no use
  std::iota(made.outer.begin(), made.outer.end(), int64_t{0});
  std::iota(made.inner.begin(), made.inner.end(), int64_t{0});
  return made;
}

const void *FieldView::gather(int type, const void *values) {
  if (is_in_order_) return values;
  with_type(type, [&](auto zero) {
    using Value = decltype(zero);
    gathered_.resize(cells() * sizeof(Value));
    const auto *const from = static_cast<const Value *>(values);
    auto *to = reinterpret_cast<Value *>(gathered_.data());
    for (const int64_t outer : outer_)
      for (const int64_t place : in_level_)
        for (const int64_t inner : inner_) *to++ = from[(outer * level_ + place) * inner_cells_ + inner];
  });
  return gathered_.data();
}

}  // namespace sv::streams
