#include "axis_range.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>
#include <stdexcept>

#include "failure.hpp"

namespace sv::streams {

namespace {

constexpr double circle = 360;

std::string attribute(const Axis &axis, const std::string &name) {
  for (const auto &[known, text] : axis.attributes)
    if (known == name) return text;
  return "";
}

/// A whole number of circles that brings a longitude into [low, low + 360).
double circles_to(double low, double longitude) { return circle * std::ceil((low - longitude) / circle); }

void require_coordinates(const Axis &axis) {
  if (axis.values.empty())
    throw Failure(SV_ECONFIG, "axis '" + axis.name + "' has no coordinates",
                  "Select cells by their numbers, with 'slices'");
}

/// `moved`: distances that are added to the coordinates; empty: none.
PickedCells picked(const Axis &axis, const std::vector<int64_t> &cells, const std::vector<double> &moved) {
  Axis made{axis.name, static_cast<int64_t>(cells.size()), {}, {}, axis.attributes, {}};
  for (size_t k = 0; k < cells.size(); ++k) {
    const auto i = static_cast<size_t>(cells[k]);
    const double by = moved.empty() ? 0 : moved[k];
    if (!axis.values.empty()) made.values.push_back(axis.values[i] + by);
    if (!axis.bounds.empty())
      made.bounds.insert(made.bounds.end(), {axis.bounds[2 * i] + by, axis.bounds[2 * i + 1] + by});
  }
  return {made, cells};
}

/// Without the circle.
PickedCells between(const Axis &axis, double low, double high) {
  std::vector<int64_t> cells;
  for (size_t i = 0; i < axis.values.size(); ++i)
    if (axis.values[i] >= low && axis.values[i] <= high) cells.push_back(static_cast<int64_t>(i));
  return picked(axis, cells, {});
}

PickedCells on_circle(const Axis &axis, double low, double high) {
  std::vector<int64_t> cells;
  for (size_t i = 0; i < axis.values.size(); ++i)
    if (axis.values[i] + circles_to(low, axis.values[i]) <= high) cells.push_back(static_cast<int64_t>(i));
  const auto coordinate = [&](int64_t cell) {
    const double value = axis.values[static_cast<size_t>(cell)];
    return value + circles_to(low, value);
  };
  const bool ascends = axis.values.size() < 2 || axis.values[0] < axis.values[1];
  std::stable_sort(cells.begin(), cells.end(), [&](int64_t one, int64_t other) {
    return ascends ? coordinate(one) < coordinate(other) : coordinate(other) < coordinate(one);
  });
  std::vector<double> moved;
  for (const int64_t cell : cells) moved.push_back(circles_to(low, axis.values[static_cast<size_t>(cell)]));
  return picked(axis, cells, moved);
}

std::string text_of(double number) {
  std::ostringstream text;
  text << number;
  return text.str();
}

PickedCells in_box(const Axis &axis, double low, double high) {
  require_coordinates(axis);
  PickedCells made;
  if (!is_called(axis, "X"))
    made = between(axis, std::min(low, high), std::max(low, high));
  else if (high - low >= circle)
    made = all_cells(axis);
  else
    made = on_circle(axis, low, high >= low ? high : high + circle);
  if (made.cells.empty())
    throw Failure(
        SV_ECONFIG, "no cell of axis '" + axis.name + "' lies between " + text_of(low) + " and " + text_of(high),
        "Its coordinates begin with " + text_of(axis.values.front()) + ", and end with " + text_of(axis.values.back()));
  return made;
}

}  // namespace

AxisRange range_of_cells(const std::string &axis, const std::string &text) {
  AxisRange made{axis, -1, 0, 1};
  std::istringstream in(text);
  char colon = ':';
  const auto take = [&](int64_t &number) {
    if (!(in >> number)) number = -1;  // and the range is refused
  };
  take(made.begin);
  made.end = made.begin + 1;
  if (in >> colon && colon == ':') take(made.end);
  if (in >> colon && colon == ':') take(made.step);
  if (colon != ':' || !in.eof() || made.begin < 0 || made.end <= made.begin || made.step < 1)
    throw std::invalid_argument(text);
  return made;
}

bool is_called(const Axis &axis, const std::string &name) {
  if (axis.name == name || attribute(axis, "axis") == name) return true;
  return is_direction(attribute(axis, "units"), name) || (name == "Z" && !attribute(axis, "positive").empty());
}

bool is_direction(const std::string &units, const std::string &name) {
  if (units.rfind("degree", 0) != 0) return false;
  if (name == "X") return units.back() == 't' || units.back() == 'E';
  return name == "Y" && (units.back() == 'h' || units.back() == 'N');
}

bool lies_within(double coordinate, double low, double high, bool is_circular) {
  if (!is_circular) return coordinate >= std::min(low, high) && coordinate <= std::max(low, high);
  return high - low >= circle || coordinate + circles_to(low, coordinate) <= (high >= low ? high : high + circle);
}

PickedCells all_cells(const Axis &axis) {
  PickedCells made{axis, std::vector<int64_t>(static_cast<size_t>(axis.length))};
  std::iota(made.cells.begin(), made.cells.end(), int64_t{0});
  return made;
}

PickedCells cells_in(const Axis &axis, const AxisRange &range) {
  if (range.box) return in_box(axis, range.box->first, range.box->second);
  if (!range.cells.empty()) {
    PickedCells made = picked(axis, range.cells, {});
    if (!std::is_sorted(range.cells.begin(), range.cells.end()))
      made.axis.values = made.axis.bounds = {};  // CF: monotonic
    return made;
  }
  if (range.end > axis.length)
    throw Failure(SV_ECONFIG,
                  "the slice of axis '" + axis.name + "' ends at " + std::to_string(range.end) + ", but the axis has " +
                      std::to_string(axis.length) + " cells",
                  "Cells are counted from 0, and the end is exclusive");
  std::vector<int64_t> cells;
  for (int64_t i = range.begin; i < range.end; i += range.step) cells.push_back(i);
  return picked(axis, cells, {});
}

int64_t nearest_cell(const Axis &axis, double coordinate) {
  require_coordinates(axis);
  const bool is_circular = is_called(axis, "X");
  const auto distance = [&](double value) {
    const double apart = std::abs(value - coordinate);
    return is_circular ? std::abs(std::remainder(apart, circle)) : apart;
  };
  const auto nearer = [&](double one, double other) { return distance(one) < distance(other); };
  return std::min_element(axis.values.begin(), axis.values.end(), nearer) - axis.values.begin();
}

}  // namespace sv::streams
