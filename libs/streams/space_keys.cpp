#include "space_keys.hpp"

#include <algorithm>
#include <stdexcept>

namespace sv::streams {

namespace {

/// Two numbers, as in [8.8, 53.1].
std::pair<double, double> pair_of(const YamlMap &map, const YAML::Node &node, const char *remedy) {
  std::pair<double, double> pair;
  if (node.IsSequence() && node.size() == 2 && YAML::convert<double>::decode(node[0], pair.first) &&
      YAML::convert<double>::decode(node[1], pair.second))
    return pair;
  throw map.wrong(node, "these are not two numbers", remedy);
}

AxisRange slice_of(const YamlMap &map, const std::string &axis, const YAML::Node &node) {
  const std::string text = node.IsScalar() ? node.Scalar() : "a list or map";
  try {
    return range_of_cells(axis, text);
  } catch (const std::invalid_argument &) {
    throw map.wrong(node, "bad slice '" + text + "' of axis '" + axis + "'",
                    "Give '3', '0:10' or '0:30:5': cells from 0, the end exclusive, and a step");
  }
}

void take_ranges(YamlMap &map, const std::string &path, bool is_own, std::vector<AxisRange> &ranges) {
  const auto take = [&](const char *key, bool is_box, const auto &range_of) {
    map.take(key, [&](const YAML::Node &node) {
      const YamlMap checked(path, node, std::string("'") + key + "'");
      std::erase_if(ranges, [&](const AxisRange &range) { return range.box.has_value() == is_box; });
      for (const auto &entry : node) {
        ranges.push_back(range_of(entry.first.Scalar(), entry.second));
        ranges.back().is_own = is_own;
      }
    });
  };
  take("slices", false, [&](const std::string &axis, const YAML::Node &node) { return slice_of(map, axis, node); });
  take("box", true, [&](const std::string &axis, const YAML::Node &node) {
    AxisRange made{axis};
    made.box = pair_of(map, node, "Give the least and the greatest coordinate: [140, 220]");
    return made;
  });
}

std::optional<GridVariable> variable_of(YamlMap &map, const std::string &key) {
  const std::string text = map.text(key);
  if (text.empty()) return std::nullopt;
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos) return GridVariable{"", text};
  if (colon > 0 && colon + 1 < text.size()) return GridVariable{text.substr(0, colon), text.substr(colon + 1)};
  std::optional<Failure> failure;
  map.take(key, [&](const YAML::Node &node) {
    failure = map.wrong(node, "'" + text + "' is no variable of a file",
                        "Give FILE:VARIABLE, as in 'basins.nc:basin', or a field without time");
  });
  throw *failure;
}

ReductionRequest reduction_of(const std::string &path, const YAML::Node &node) {
  YamlMap map(path, node, "'reduce'");
  ReductionRequest made;
  int given = 0;
  for (const bool is_mean : {true, false})
    map.take(is_mean ? "mean" : "sum", [&](const YAML::Node &axes) {
      ++given;
      made.is_mean = is_mean;
      if (axes.IsScalar()) made.axes = {axes.Scalar()};
      for (const YAML::Node &axis : axes) made.axes.push_back(axis.Scalar());
    });
  made.regions = variable_of(map, "regions");
  made.weights = variable_of(map, "weights");
  map.finish();
  if (given != 1 || made.axes.empty())
    throw map.wrong(node, "'reduce' has not one operation over axes", "Write {mean: lon} or {sum: [lat, lon]}");
  return made;
}

std::optional<GridRequest> grid_of(const std::string &path, const YAML::Node &node) {
  if (node.IsScalar() && node.Scalar() == "own") return std::nullopt;
  YamlMap map(path, node, "'grid'");
  GridRequest made{map.text("weights")};
  map.finish();
  if (made.weights.empty())
    throw map.wrong(node, "'grid' has no weights", "Write {weights: FILE}, or 'own' for the grid of the field");
  return made;
}

}  // namespace

void take_space(YamlMap &map, const std::string &path, bool is_own, FieldRequest &to) {
  if (is_own)
    for (AxisRange &range : to.part.ranges) range.is_own = false;
  take_ranges(map, path, is_own, to.part.ranges);
  map.take("stations", [&](const YAML::Node &node) {
    const YamlMap checked(path, node, "'stations'");
    to.part.stations.clear();
    to.part.has_own_stations = is_own;
    for (const auto &entry : node) {
      const auto [longitude, latitude] = pair_of(map, entry.second, "Give longitude and latitude: [8.8, 53.1]");
      to.part.stations.push_back({entry.first.Scalar(), longitude, latitude});
    }
  });
  map.take("levels", [&](const YAML::Node &node) {
    to.part.has_own_levels = is_own;
    if (!node.IsSequence() || node.size() == 0 || !YAML::convert<std::vector<double>>::decode(node, to.part.levels))
      throw map.wrong(node, "'levels' is no list of numbers", "Write [10, 50, 100]");
  });
  map.take("where", [&](const YAML::Node &node) {
    to.where = condition_in(node.IsScalar() ? node.Scalar() : "");
    if (!to.where) throw map.wrong(node, "this is no condition", "Write, for example, 'ice > 0.15'");
  });
  map.take("reduce", [&](const YAML::Node &node) { to.reduction = reduction_of(path, node); });
  map.take("grid", [&](const YAML::Node &node) { to.grid = grid_of(path, node); });
}

}  // namespace sv::streams
