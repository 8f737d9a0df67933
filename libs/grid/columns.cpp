#include "columns.hpp"

namespace sv::grid {

namespace {

using Texts = std::vector<std::pair<const char *, std::string>>;

Texts on_mesh(const char *long_name, const char *units) {
  Texts texts{{"long_name", long_name}};
  if (units[0] != '\0') texts.emplace_back("units", units);
  texts.insert(texts.end(), {{"mesh", "mesh"}, {"location", "face"}});
  return texts;
}

/// Of variables on cells alone. The last attribute is for CDO, which otherwise takes them for maps.
Texts on_cells(const char *long_name, const char *units) {
  Texts texts = on_mesh(long_name, units);
  texts.insert(texts.end(), {{"coordinates", "lon lat"}, {"CDI_grid_type", "unstructured"}});
  return texts;
}

/// Values of a function of the row (and the edge, in rows of four).
template <class Value, class Function>
auto rows(Function function) {
  return [function](int64_t first, int64_t n, void *values) {
    auto *const out = static_cast<Value *>(values);
    for (int64_t i = 0; i < n; ++i) out[i] = static_cast<Value>(function(static_cast<size_t>(first + i)));
  };
}
template <class Value, class Function>
auto rows_of_four(Function function) {
  return [function](int64_t first, int64_t n, void *values) {
    auto *const out = static_cast<Value *>(values);
    for (int64_t i = 0; i < n; ++i)
      for (int edge = 0; edge < 4; ++edge)
        out[4 * i + edge] = static_cast<Value>(function(static_cast<size_t>(first + i), edge));
  };
}

Texts coordinate(const char *of, bool is_longitude) {
  return {{"standard_name", is_longitude ? "longitude" : "latitude"},
          {"long_name", std::string(is_longitude ? "longitude of " : "latitude of ") + of},
          {"units", is_longitude ? "degrees_east" : "degrees_north"}};
}

void add_places(const Contents &contents, std::vector<Column> &columns) {
  const FullGrid &grid = contents.grid;
  const Mesh &mesh = contents.mesh;
  const auto centre = [&](size_t cell) { return grid.centre_place(mesh.full_index[cell]); };
  const auto node = [&](size_t id) { return grid.node_place(mesh.full_node[id]); };
  columns.push_back({"lon", SV_DOUBLE, On::cells, coordinate("the centre", true), {}, rows<double>([=](size_t cell) {
                       return centre(cell).longitude;
                     })});
  columns.push_back({"lat", SV_DOUBLE, On::cells, coordinate("the centre", false), {}, rows<double>([=](size_t cell) {
                       return centre(cell).latitude;
                     })});
  columns.push_back({"node_lon", SV_DOUBLE, On::nodes, coordinate("the node", true), {}, rows<double>([=](size_t id) {
                       return node(id).longitude;
                     })});
  columns.push_back({"node_lat", SV_DOUBLE, On::nodes, coordinate("the node", false), {}, rows<double>([=](size_t id) {
                       return node(id).latitude;
                     })});
}

void add_connections(const Contents &contents, std::vector<Column> &columns) {
  const Mesh &mesh = contents.mesh;
  columns.push_back({"face_nodes",
                     SV_INT,
                     On::edges,
                     {{"cf_role", "face_node_connectivity"}, {"long_name", "corners of the cell, counter-clockwise"}},
                     {{"start_index", 0}},
                     rows_of_four<int32_t>([&](size_t cell, int corner) { return mesh.face_nodes[cell][corner]; })});
  columns.push_back({"neighbours",
                     SV_INT,
                     On::edges,
                     {{"cf_role", "face_face_connectivity"},
                      {"long_name", "cell across each edge; edge e lies between corners e and (e + 1) modulo 4"}},
                     {{"start_index", 0}},
                     rows_of_four<int32_t>([&](size_t cell, int edge) { return mesh.neighbours[cell][edge]; }),
                     -1});
}

void add_sizes(const Contents &contents, std::vector<Column> &columns) {
  const FullGrid &grid = contents.grid;
  const Mesh &mesh = contents.mesh;
  const auto distance = [&](size_t cell, int edge) {
    const int32_t other = mesh.neighbours[cell][edge];
    if (other < 0) return 0.0;
    return earth_radius_m * angle(grid.centre(mesh.full_index[cell]), grid.centre(mesh.full_index[other]));
  };
  Texts area = on_cells("area of the cell", "m2");
  area.emplace_back("standard_name", "cell_area");
  columns.push_back({"area", SV_DOUBLE, On::cells, area, {}, rows<double>([&](size_t cell) {
                       return earth_radius_m * earth_radius_m * grid.area(mesh.full_index[cell]);
                     })});
  columns.push_back({"edge_length",
                     SV_DOUBLE,
                     On::edges,
                     on_mesh("length of each edge", "m"),
                     {},
                     rows_of_four<double>([&](size_t cell, int edge) {
                       return earth_radius_m * grid.edge_length(mesh.full_index[cell], edge);
                     })});
  columns.push_back({"distance",
                     SV_DOUBLE,
                     On::edges,
                     on_mesh("distance to the centre of the neighbour across each edge, 0 where there is none", "m"),
                     {},
                     rows_of_four<double>(distance)});
}

void add_ocean(const Contents &contents, std::vector<Column> &columns) {
  const auto depth = [&](size_t cell) { return contents.depths[static_cast<size_t>(contents.mesh.full_index[cell])]; };
  Texts texts = on_cells("depth of the sea floor, 0 on land", "m");
  texts.emplace_back("standard_name", "sea_floor_depth_below_mean_sea_level");
  columns.push_back({"depth", SV_FLOAT, On::cells, texts, {}, rows<float>(depth)});
  columns.push_back(
      {"ocean", SV_BYTE, On::cells, on_cells("1: ocean, 0: land next to ocean", ""), {}, rows<int8_t>([=](size_t cell) {
         return depth(cell) > 0 ? 1 : 0;
       })});
  columns.push_back({"full_index",
                     SV_INT,
                     On::cells,
                     on_cells("row-major number in the full grid, from 0", ""),
                     {},
                     rows<int32_t>([&](size_t cell) { return contents.mesh.full_index[cell]; })});
}

}  // namespace

std::vector<Column> all_columns(const Contents &contents) {
  std::vector<Column> columns;
  add_places(contents, columns);
  add_connections(contents, columns);
  add_sizes(contents, columns);
  add_ocean(contents, columns);
  for (const Partition &partition : contents.partitions) {
    const std::string ranks = std::to_string(partition.facts.ranks);
    const std::string says = "rank that owns the cell, of " + ranks;
    columns.push_back({"owner_" + ranks,
                       SV_INT,
                       On::cells,
                       on_cells(says.c_str(), ""),
                       {{"ranks", partition.facts.ranks}, {"edge_cut", partition.facts.edge_cut}},
                       rows<int32_t>([&partition](size_t cell) { return partition.owner[cell]; }),
                       std::nullopt,
                       partition.facts.imbalance});
  }
  return columns;
}

}  // namespace sv::grid
