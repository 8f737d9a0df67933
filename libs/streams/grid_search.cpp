#include "grid_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "failure.hpp"
#include "sharing.hpp"

namespace sv::streams {

namespace {

/// This rank's cells of a grid with longitudes and latitudes.
struct OwnGrid {
  const Field *longitude, *latitude;
  std::vector<int64_t> cells, places;         // numbers in the grid, and in this rank's array
  std::vector<double> longitudes, latitudes;  // of this rank's array

  bool is_valid(size_t i) const {
    const auto place = static_cast<size_t>(places[i]);
    return !is_missing(longitude->kind, longitudes[place]) && !is_missing(latitude->kind, latitudes[place]);
  }
  double longitude_of(size_t i) const { return longitudes[static_cast<size_t>(places[i])]; }
  double latitude_of(size_t i) const { return latitudes[static_cast<size_t>(places[i])]; }
};

/// Both coordinates of the field, on one grid of axes of the field.
std::pair<const Field *, const Field *> coordinates_of(const Field &field, const std::vector<Field> &fields) {
  const Field *const longitude = coordinate_called(field, fields, "X");
  const Field *const latitude = coordinate_called(field, fields, "Y");
  if (longitude == nullptr || latitude == nullptr)
    throw Failure(SV_ECONFIG, "it has no longitudes and latitudes on one grid",
                  "Declare both with sv_def_static_field, and name them in 'coordinates'");
  const auto has = [&](const Axis &axis) {
    return std::find(field.axes.begin(), field.axes.end(), axis) != field.axes.end();
  };
  const auto &axes = longitude->axes;
  const bool is_grid = axes.size() == 1 || axes.size() == 2;
  if (!is_grid || latitude->axes != axes || latitude->decomp != longitude->decomp ||
      !std::all_of(axes.begin(), axes.end(), has))
    throw Failure(SV_ECONFIG,
                  "its coordinates '" + longitude->name + "' and '" + latitude->name +
                      "' do not share one or two of its axes and a decomposition",
                  "Declare both on the field's grid");
  return {longitude, latitude};
}

OwnGrid own_grid(const Field &longitude, const Field &latitude) {
  OwnGrid made{&longitude, &latitude, {}, {}, constants_of(longitude), constants_of(latitude)};
  auto n = static_cast<int64_t>(longitude.cells);
  if (longitude.decomp != nullptr) must(sv_inq_decomp_cells(longitude.decomp, &n, nullptr, nullptr));
  made.cells.resize(static_cast<size_t>(n));
  std::iota(made.cells.begin(), made.cells.end(), int64_t{0});
  made.places = made.cells;
  if (longitude.decomp != nullptr)
    must(sv_inq_decomp_cells(longitude.decomp, &n, made.cells.data(), made.places.data()));
  return made;
}

/// This rank's cells that lie within all boxes on the coordinates.
std::vector<int64_t> cells_within(const OwnGrid &grid, const std::vector<AxisRange> &boxes) {
  std::vector<int64_t> found;
  for (size_t i = 0; i < grid.cells.size(); ++i) {
    if (!grid.is_valid(i)) continue;
    const auto holds = [&](const AxisRange &range) {
      const bool is_longitude = range.axis == "X" || range.axis == grid.longitude->name;
      return lies_within(is_longitude ? grid.longitude_of(i) : grid.latitude_of(i), range.box->first, range.box->second,
                         is_longitude);
    };
    if (std::all_of(boxes.begin(), boxes.end(), holds)) found.push_back(grid.cells[i]);
  }
  return found;
}

/// The fewest columns that follow one another on the circle, and contain all those that are not 0. They continue at
/// the first column only if there are fewer of them so.
std::vector<int64_t> shortest_arc(const std::vector<int64_t> &has) {
  const int64_t count = std::ssize(has);
  const auto is_in = [&](int64_t column) { return has[static_cast<size_t>(column % count)] != 0; };
  int64_t first = 0, last = count - 1;
  while (!is_in(first)) ++first;
  while (!is_in(last)) --last;
  int64_t begin = first, length = last + 1 - first;
  for (int64_t column = first, before = first; column <= last; ++column) {
    if (!is_in(column)) continue;
    const int64_t arc = before + count + 1 - column;  // without the gap between the two
    if (column > before + 1 && arc < length) begin = column, length = arc;
    before = column;
  }
  std::vector<int64_t> columns;
  for (int64_t i = 0; i < length; ++i) columns.push_back((begin + i) % count);
  return columns;
}

/// Slices of the grid's axes that contain the cells of all ranks.
std::vector<AxisRange> slices_of(sv_context *io, const Field &coordinate, std::vector<int64_t> cells) {
  if (coordinate.axes.size() == 1) {
    cells = joined(io, cells);
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());  // each rank may have all of them
    return {{coordinate.axes[0].name, 0, 0, 1, {}, cells}};
  }
  const int64_t columns = coordinate.axes[1].length;
  constexpr int64_t beyond_all = std::numeric_limits<int64_t>::max();
  std::vector<int64_t> least(static_cast<size_t>(2 + columns), beyond_all);  // row, and its negative; 0: this column
  for (const int64_t cell : cells) {
    const int64_t row = cell / columns;
    least[0] = std::min(least[0], row);
    least[1] = std::min(least[1], -row);
    least[static_cast<size_t>(2 + cell % columns)] = 0;
  }
  take_least(io, least);
  if (least[0] == beyond_all) return {{coordinate.axes[0].name}};
  std::vector<int64_t> has(least.begin() + 2, least.end());
  for (int64_t &each : has) each = each == 0 ? 1 : 0;
  return {{coordinate.axes[0].name, least[0], 1 - least[1], 1, {}, {}},
          {coordinate.axes[1].name, 0, 0, 1, {}, shortest_arc(has)}};
}

/// Of the angle between two places: the square of the sine of its half.
double haversine(const Station &station, double longitude, double latitude) {
  constexpr double degree = 3.14159265358979323846 / 180;
  const double north = std::sin((latitude - station.latitude) * degree / 2);
  const double east = std::sin((longitude - station.longitude) * degree / 2);
  return north * north + std::cos(latitude * degree) * std::cos(station.latitude * degree) * east * east;
}

/// Sets the nearest cell of each station; of two, the first.
void find_stations(sv_context *io, const OwnGrid &grid, std::vector<Station> &stations) {
  std::vector<double> distances;
  std::vector<int64_t> cells;
  for (const Station &station : stations) {
    double least = std::numeric_limits<double>::infinity();
    int64_t nearest = std::numeric_limits<int64_t>::max();
    for (size_t i = 0; i < grid.cells.size(); ++i) {
      if (!grid.is_valid(i)) continue;
      const double distance = haversine(station, grid.longitude_of(i), grid.latitude_of(i));
      if (std::pair(distance, grid.cells[i]) < std::pair(least, nearest)) least = distance, nearest = grid.cells[i];
    }
    distances.push_back(least);
    cells.push_back(nearest);
  }
  std::vector<double> least = distances;
  take_least(io, least);
  for (size_t i = 0; i < cells.size(); ++i)
    if (distances[i] > least[i]) cells[i] = std::numeric_limits<int64_t>::max();
  take_least(io, cells);
  for (size_t i = 0; i < cells.size(); ++i) {
    if (std::isinf(least[i]))
      throw Failure(SV_ECONFIG, "all longitudes and latitudes are missing", "Give the coordinates of the grid");
    stations[i].cell = cells[i];
  }
}

bool has_axis(const Field &field, const std::string &name) {
  return std::any_of(field.axes.begin(), field.axes.end(), [&](const Axis &axis) { return is_called(axis, name); });
}

}  // namespace

const Field *coordinate_called(const Field &field, const std::vector<Field> &fields, const std::string &name) {
  for (const auto &[attribute, text] : field.references) {
    if (attribute != "coordinates") continue;
    for (const ReferredName &each : names_in(text))
      if (const Field *const found = static_field_named(fields, each.name); found != nullptr && !found->axes.empty())
        if (found->name == name || is_direction(found->units, name)) return found;
  }
  return nullptr;
}

PartRequest located(sv_context *io, const Field &field, const std::vector<Field> &fields, const PartRequest &request) {
  PartRequest made = request;
  std::vector<AxisRange> boxes;
  std::erase_if(made.ranges, [&](const AxisRange &range) {
    const bool is_this =
        range.box && !has_axis(field, range.axis) && coordinate_called(field, fields, range.axis) != nullptr;
    if (is_this) boxes.push_back(range);
    return is_this;
  });
  const bool has_stations = !made.stations.empty() && made.station_axes.empty() &&
                            !(has_axis(field, "X") && has_axis(field, "Y")) &&
                            coordinate_called(field, fields, "X") != nullptr;
  if (boxes.empty() && !has_stations) return made;
  const auto [longitude, latitude] = coordinates_of(field, fields);
  if (has_stations)
    for (const Axis &axis : longitude->axes) made.station_axes.push_back(axis.name);
  if (io == nullptr) {
    for (Station &station : made.stations) station.cell = 0;
    return made;
  }
  must(sv_flush(io, SV_HANDED_OVER));  // a rank that has failed is not waited for below
  const OwnGrid grid = own_grid(*longitude, *latitude);
  if (has_stations) find_stations(io, grid, made.stations);
  if (boxes.empty()) return made;
  for (AxisRange &slice : slices_of(io, *longitude, cells_within(grid, boxes))) {
    if (slice.end == 0 && slice.cells.empty())
      throw Failure(SV_ECONFIG, "no cell of '" + longitude->name + "' and '" + latitude->name + "' lies in the box",
                    "Give another one: longitudes are compared on the circle");
    made.ranges.push_back(std::move(slice));
  }
  return made;
}

}  // namespace sv::streams
