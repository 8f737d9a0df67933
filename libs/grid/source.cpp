#include "source.hpp"

#include <cmath>

#include "source_variables.hpp"

namespace sv::grid {

namespace {

/// Values that stand for none.
std::vector<float> missing_values(const sv_file *file, int var) {
  std::vector<float> values;
  for (const char *const name : {"_FillValue", "missing_value"}) {
    int type = 0;
    int64_t count = 0;
    if (sv_inq_att(file, var, name, &type, &count) != SV_OK || type == SV_CHAR || type == SV_STRING || count != 1)
      continue;
    double value = 0;
    must(sv_get_att(file, var, name, SV_DOUBLE, &value));
    values.push_back(static_cast<float>(value));
  }
  return values;
}

/// Converts the values of the file into depths, in place.
void make_depths(Source &source, const sv_file *file, const SourceVariables &found, const sv_grid_request &request) {
  const std::vector<float> missing = missing_values(file, found.values);
  const auto wet = static_cast<float>(request.mask_depth_m > 0 ? request.mask_depth_m : 4000);
  for (float &value : source.depths) {
    bool is_missing = std::isnan(value);
    for (const float one : missing) is_missing = is_missing || value == one;
    if (is_missing)
      value = 0;
    else if (request.is_mask)
      value = value != 0 ? wet : 0;
    else if (!found.is_depth)
      value = -value;
  }
}

void check_coordinates(const Source &source, const sv_grid_request &request) {
  for (const double latitude : source.latitudes)
    if (!(latitude >= -90 && latitude <= 90))
      throw Failure(SV_EFORMAT, std::string(request.source) + ": " + std::to_string(latitude) + " is no latitude",
                    "Latitudes are in degrees, from -90 to 90");
  for (const double longitude : source.longitudes)
    if (!(std::abs(longitude) <= 1000))
      throw Failure(SV_EFORMAT, std::string(request.source) + ": " + std::to_string(longitude) + " is no longitude",
                    "Longitudes are in degrees");
}

/// Collective. Rank 0 reads; the others take part with nothing.
void read_values(sv_file *file, const SourceVariables &found, Source &source) {
  const bool reads = !source.depths.empty();
  const auto read = [&](int var, int ndims, std::vector<int64_t> counts, void *data) {
    std::vector<int64_t> start(static_cast<size_t>(ndims), 0), count(static_cast<size_t>(ndims), reads ? 1 : 0);
    for (size_t d = 0; reads && d < counts.size(); ++d) count[count.size() - counts.size() + d] = counts[d];
    must(sv_get_vara(file, var, start.data(), count.data(), counts.size() == 1 ? SV_DOUBLE : SV_FLOAT, data, nullptr));
  };
  read(found.longitude, 1, {found.nx}, source.longitudes.data());
  read(found.latitude, 1, {found.ny}, source.latitudes.data());
  read(found.values, found.ndims, {found.ny, found.nx}, source.depths.data());
}

Source read_open(Run &run, sv_file *file, const sv_grid_request &request) {
  Source source;
  SourceVariables found;
  run.on_root([&] {
    found = find_variables(file, request);
    source.longitudes.resize(static_cast<size_t>(found.nx));
    source.latitudes.resize(static_cast<size_t>(found.ny));
    source.depths.resize(static_cast<size_t>(found.nx * found.ny));
  });
  run.share(&found, 1);
  const int packed = sv_use_packing(file, found.values, 1);
  if (packed != SV_ENOTFOUND) must(packed);
  read_values(file, found, source);
  run.on_root([&] {
    check_coordinates(source, request);
    make_depths(source, file, found, request);
  });
  return source;
}

}  // namespace

Source read_source(Run &run, const sv_grid_request &request) {
  sv_file *file = nullptr;
  must(sv_open(run.io(), request.source, SV_NOWRITE, &file));
  Source source;
  run.closing(file, [&] { source = read_open(run, file, request); });
  return source;
}

}  // namespace sv::grid
