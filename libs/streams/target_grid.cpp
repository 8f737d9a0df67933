#include "target_grid.hpp"

#include <algorithm>
#include <cmath>

#include "failure.hpp"
#include "sharing.hpp"

namespace sv::streams {

namespace {

constexpr double same_degrees = 1e-9;

Texts attributes_of(bool is_latitude, bool is_axis) {
  Texts made = {{"standard_name", is_latitude ? "latitude" : "longitude"},
                {"units", is_latitude ? "degrees_north" : "degrees_east"}};
  if (is_axis) made.emplace_back("axis", is_latitude ? "Y" : "X");
  return made;
}

/// The least and the greatest corner of each cell, around its centre on the circle if `is_longitude`; in the order of
/// the cells.
std::vector<double> bounds_of(const std::vector<double> &centres, const std::vector<double> &corners,
                              bool is_longitude) {
  const size_t vertices = corners.size() / centres.size();
  const bool descends = centres.front() > centres.back();
  std::vector<double> made;
  for (size_t i = 0; i < centres.size(); ++i) {
    double low = centres[i], high = centres[i];
    for (size_t v = 0; v < vertices; ++v) {
      const double apart = corners[i * vertices + v] - centres[i];
      const double corner = centres[i] + (is_longitude ? std::remainder(apart, 360) : apart);
      low = std::min(low, corner);
      high = std::max(high, corner);
    }
    made.insert(made.end(), {descends ? high : low, descends ? low : high});
  }
  return made;
}

}  // namespace

TargetGrid::TargetGrid(sv_context *io, const WeightsFile &file) {
  const std::vector<int64_t> &shape = file.shape(Side::target);
  std::tie(rank_, rows_.ranks) = rank_and_ranks(io);
  rows_.length = shape.front();
  row_cells_ = file.cells(Side::target) / shape.front();
  std::vector<double> latitudes = file.read(Side::target, CellFact::latitude, begin(), end());
  std::vector<double> longitudes = file.read(Side::target, CellFact::longitude, begin(), end());
  if (!file.has(Side::target, CellFact::latitude) || !file.has(Side::target, CellFact::longitude))
    throw Failure(SV_EFORMAT, file.path() + ": the cells of the target grid have no coordinates",
                  "Make the file with its grid's centres");
  if (shape.size() == 2 && take_rectilinear(io, file, latitudes, longitudes)) return;
  const std::vector<std::string> names =
      shape.size() == 2 ? std::vector<std::string>{"y", "x"} : std::vector<std::string>{"cell"};
  for (size_t d = 0; d < shape.size(); ++d) axes_.push_back({names[d], shape[d], {}, {}, {}, {}});
  take_cells(file, std::move(latitudes), std::move(longitudes));
}

/// Two axes, if all rows have the same longitudes, and each row has one latitude.
bool TargetGrid::take_rectilinear(sv_context *io, const WeightsFile &file, const std::vector<double> &latitudes,
                                  const std::vector<double> &longitudes) {
  const std::vector<double> first_row = file.read(Side::target, CellFact::longitude, 0, row_cells_);
  std::vector<double> of_rows;
  int64_t differs = 0;
  for (size_t i = 0; i < latitudes.size(); ++i) {
    const size_t column = i % first_row.size();
    if (column == 0) of_rows.push_back(latitudes[i]);
    if (std::abs(latitudes[i] - of_rows.back()) > same_degrees ||
        std::abs(longitudes[i] - first_row[column]) > same_degrees)
      differs = 1;
  }
  if (largest_of_ranks(io, differs) != 0) return false;
  axes_ = {{"lat", rows_.length, joined(io, of_rows), {}, attributes_of(true, true), {}},
           {"lon", row_cells_, first_row, {}, attributes_of(false, true), {}}};
  take_bounds(io, file);
  return true;
}

void TargetGrid::take_bounds(sv_context *io, const WeightsFile &file) {
  const auto vertices = static_cast<size_t>(file.vertices(Side::target));
  if (vertices == 0) return;
  const std::vector<double> first_row = file.read(Side::target, CellFact::longitude_corners, 0, row_cells_);
  axes_[1].bounds = bounds_of(axes_[1].values, first_row, true);
  const std::vector<double> own = file.read(Side::target, CellFact::latitude_corners, begin(), end());
  std::vector<double> corners;
  for (size_t at = 0; at < own.size(); at += vertices * static_cast<size_t>(row_cells_))
    corners.insert(corners.end(), own.begin() + static_cast<int64_t>(at),
                   own.begin() + static_cast<int64_t>(at + vertices));
  axes_[0].bounds = bounds_of(axes_[0].values, joined(io, corners), false);
}

void TargetGrid::take_cells(const WeightsFile &file, std::vector<double> latitudes, std::vector<double> longitudes) {
  coordinates_ = {{"lat", attributes_of(true, false), 0, std::move(latitudes)},
                  {"lon", attributes_of(false, false), 0, std::move(longitudes)}};
  for (const bool is_latitude : {true, false}) {
    const CellFact fact = is_latitude ? CellFact::latitude_corners : CellFact::longitude_corners;
    const int64_t vertices = file.vertices(Side::target);
    if (vertices == 0) return;
    const std::string name = coordinates_[is_latitude ? 0 : 1].name + "_bnds";
    coordinates_[is_latitude ? 0 : 1].attributes.emplace_back("bounds", name);
    coordinates_.push_back({name, {}, vertices, file.read(Side::target, fact, begin(), end())});
  }
}

}  // namespace sv::streams
