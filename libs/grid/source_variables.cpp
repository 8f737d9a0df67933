#include "source_variables.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "failure.hpp"
#include "run.hpp"

namespace sv::grid {

namespace {

struct Variable {
  std::string name;
  std::vector<int> dims;
};

Variable variable(const sv_file *file, int id) {
  std::array<char, SV_MAX_NAME> name{};
  std::array<int, SV_MAX_DIMS> dims{};
  int n = 0;
  must(sv_inq_var(file, id, name.data(), nullptr, &n, dims.data(), nullptr));
  return {name.data(), {dims.begin(), dims.begin() + n}};
}

int count_variables(const sv_file *file) {
  int n = 0;
  must(sv_inq(file, nullptr, &n, nullptr, nullptr));
  return n;
}

int named(const sv_file *file, const char *name, const sv_grid_request &request) {
  int id = -1;
  if (sv_inq_varid(file, name, &id) != SV_OK)
    throw Failure(SV_ENOTFOUND, std::string(request.source) + ": there is no variable '" + name + "'",
                  "Look with ncdump -h, and give another name");
  return id;
}

struct Axis {
  const char *standard_name, *letter;
  std::array<const char *, 6> units;
};
constexpr Axis longitude_axis{
    "longitude", "X", {"degrees_east", "degree_east", "degree_E", "degrees_E", "degreeE", "degreesE"}};
constexpr Axis latitude_axis{
    "latitude", "Y", {"degrees_north", "degree_north", "degree_N", "degrees_N", "degreeN", "degreesN"}};

bool is_axis(const sv_file *file, int id, const Axis &axis) {
  const std::string units = text_attribute(file, id, "units");
  return std::any_of(axis.units.begin(), axis.units.end(), [&](const char *one) { return units == one; }) ||
         text_attribute(file, id, "standard_name") == axis.standard_name ||
         text_attribute(file, id, "axis") == axis.letter;
}

/// The 1-D variable along `dim` that is such an axis; -1 without one.
int coordinate(const sv_file *file, int dim, const Axis &axis) {
  for (int id = 0; id < count_variables(file); ++id) {
    const Variable one = variable(file, id);
    if (one.dims.size() == 1 && one.dims[0] == dim && is_axis(file, id, axis)) return id;
  }
  return -1;
}

bool is_topography(const sv_file *file, int id) {
  constexpr std::array<const char *, 8> names{"surface_altitude",
                                              "height_above_reference_ellipsoid",
                                              "height_above_mean_sea_level",
                                              "altitude",
                                              "sea_floor_depth_below_geoid",
                                              "sea_floor_depth_below_mean_sea_level",
                                              "sea_floor_depth_below_sea_surface",
                                              "sea_binary_mask"};
  const std::string own = text_attribute(file, id, "standard_name");
  return std::any_of(names.begin(), names.end(), [&](const char *one) { return own == one; });
}

/// Of several variables on longitudes and latitudes, the one that says what it is.
int choose(const sv_file *file, const sv_grid_request &request) {
  std::vector<int> on_axes, topographies;
  std::string names;
  for (int id = 0; id < count_variables(file); ++id) {
    const Variable one = variable(file, id);
    const size_t n = one.dims.size();
    if (n < 2) continue;
    const bool has_longitude = request.longitude != nullptr || coordinate(file, one.dims[n - 1], longitude_axis) >= 0;
    const bool has_latitude = request.latitude != nullptr || coordinate(file, one.dims[n - 2], latitude_axis) >= 0;
    if (!has_longitude || !has_latitude) continue;
    on_axes.push_back(id);
    if (is_topography(file, id)) topographies.push_back(id);
    names += (names.empty() ? "" : ", ") + one.name;
  }
  if (on_axes.size() == 1) return on_axes[0];
  if (topographies.size() == 1) return topographies[0];
  if (on_axes.empty())
    throw Failure(
        SV_ENOTFOUND, std::string(request.source) + ": no variable lies on latitudes and longitudes",
        "They are the last two dimensions, in this order, with 1-D coordinates in degrees_north and degrees_east");
  throw Failure(SV_EINVAL, std::string(request.source) + ": several variables may be the topography: " + names,
                "Name one of them");
}

int axis_of(const sv_file *file, const sv_grid_request &request, int dim, bool is_longitude) {
  const char *const given = is_longitude ? request.longitude : request.latitude;
  const int id = given != nullptr ? named(file, given, request)
                                  : coordinate(file, dim, is_longitude ? longitude_axis : latitude_axis);
  const char *const what = is_longitude ? "longitude" : "latitude";
  if (id < 0)
    throw Failure(SV_ENOTFOUND, std::string(request.source) + ": no " + what + " is found along its dimension",
                  std::string("The ") + (is_longitude ? "last" : "last but one") +
                      " dimension has a 1-D coordinate; name it, if attributes do not identify it");
  const Variable found = variable(file, id);
  if (found.dims.size() != 1 || found.dims[0] != dim)
    throw Failure(SV_EFORMAT,
                  std::string(request.source) + ": '" + found.name + "' is not a 1-D " + what +
                      " along the dimension of the topography",
                  "Name another one; grids with 2-D coordinates are to be interpolated first (cdo remapnn)");
  return id;
}

int64_t length(const sv_file *file, int dim) {
  int64_t cells = 0;
  must(sv_inq_dim(file, dim, nullptr, &cells));
  return cells;
}

}  // namespace

std::string text_attribute(const sv_file *file, int var, const char *name) {
  int type = 0;
  int64_t count = 0;
  if (sv_inq_att(file, var, name, &type, &count) != SV_OK) return "";
  if (type != SV_CHAR && !(type == SV_STRING && count == 1)) return "";
  char *string = nullptr;
  must(sv_get_att_string(file, var, name, &string));
  std::string text = string;
  must(sv_free_string(1, &string));
  while (!text.empty() && (text.back() == '\0' || text.back() == ' ')) text.pop_back();
  return text;
}

SourceVariables find_variables(const sv_file *file, const sv_grid_request &request) {
  SourceVariables found;
  found.values = request.variable != nullptr ? named(file, request.variable, request) : choose(file, request);
  const Variable values = variable(file, found.values);
  const size_t n = values.dims.size();
  if (n < 2)
    throw Failure(SV_EFORMAT,
                  std::string(request.source) + ": '" + values.name + "' has " + std::to_string(n) + " dimensions",
                  "A topography has two, latitude and longitude, after others of which the first is taken");
  found.ndims = static_cast<int>(n);
  found.latitude = axis_of(file, request, values.dims[n - 2], false);
  found.longitude = axis_of(file, request, values.dims[n - 1], true);
  found.ny = length(file, values.dims[n - 2]);
  found.nx = length(file, values.dims[n - 1]);
  if (found.nx < 1 || found.ny < 1)
    throw Failure(SV_EFORMAT, std::string(request.source) + ": '" + values.name + "' has no values",
                  "Use another file");
  found.is_depth = text_attribute(file, found.values, "positive") == "down" ||
                   text_attribute(file, found.values, "standard_name").starts_with("sea_floor_depth");
  return found;
}

}  // namespace sv::grid
