#include "ugrid_file.hpp"

#include <algorithm>
#include <string>

#include "columns.hpp"

namespace sv::grid {

namespace {

constexpr int64_t slab_rows = int64_t{1} << 19;  // handed over at a time: 16 MiB at most
constexpr int64_t most_row_bytes = 32;

void put_text(sv_file *file, int var, const char *name, const std::string &text) {
  must(sv_put_att_text(file, var, name, text.c_str()));
}

void put_int(sv_file *file, int var, const char *name, int64_t value) {
  const auto narrow = static_cast<int32_t>(value);  // all count cells, nodes or edges, which are 32-bit
  must(sv_put_att(file, var, name, SV_INT, 1, &narrow));
}

void put_global(sv_file *file, const Contents &contents) {
  const std::vector<int> shape = contents.grid.shape();
  const std::string source = contents.request.source;
  put_text(file, SV_GLOBAL, "Conventions", "CF-1.11 UGRID-1.0");
  put_text(file, SV_GLOBAL, "title", "Ocean cells and the land around them");
  put_text(file, SV_GLOBAL, "source", "sverdrup " SV_VERSION ", from " + source.substr(source.rfind('/') + 1));
  put_text(file, SV_GLOBAL, "grid_kind", contents.grid.kind());
  must(sv_put_att(file, SV_GLOBAL, "grid_shape", SV_INT, static_cast<int64_t>(shape.size()), shape.data()));
  put_text(file, SV_GLOBAL, "cell_order", contents.request.order == SV_GRID_CURVE ? "curve" : "full_index");
  put_int(file, SV_GLOBAL, "full_cells", contents.report.full_cells);
  put_int(file, SV_GLOBAL, "kept_cells", contents.report.kept_cells);
  put_int(file, SV_GLOBAL, "ocean_cells", contents.report.ocean_cells);
  must(sv_put_att(file, SV_GLOBAL, "earth_radius", SV_DOUBLE, 1, &earth_radius_m));
}

int define_mesh(sv_file *file) {
  int var = -1;
  must(sv_def_var(file, "mesh", SV_INT, 0, nullptr, &var));
  put_text(file, var, "cf_role", "mesh_topology");
  put_text(file, var, "long_name", "topology of the mesh");
  put_int(file, var, "topology_dimension", 2);
  put_text(file, var, "node_coordinates", "node_lon node_lat");
  put_text(file, var, "face_coordinates", "lon lat");
  put_text(file, var, "face_dimension", "cell");
  put_text(file, var, "face_node_connectivity", "face_nodes");
  put_text(file, var, "face_face_connectivity", "neighbours");
  return var;
}

struct Dimensions {
  int cell, node, four;
};

int define(sv_file *file, const Column &column, const Dimensions &dims) {
  const std::vector<int> own = column.on == On::nodes   ? std::vector<int>{dims.node}
                               : column.on == On::edges ? std::vector<int>{dims.cell, dims.four}
                                                        : std::vector<int>{dims.cell};
  int var = -1;
  must(sv_def_var(file, column.name.c_str(), column.type, static_cast<int>(own.size()), own.data(), &var));
  if (column.fill) must(sv_def_fill(file, var, &*column.fill));
  for (const auto &[name, text] : column.texts) put_text(file, var, name, text);
  for (const auto &[name, value] : column.numbers) put_int(file, var, name, value);
  if (column.imbalance > 0) must(sv_put_att(file, var, "imbalance", SV_DOUBLE, 1, &column.imbalance));
  return var;
}

/// Slab by slab; ranks other than 0 pass nothing.
void put(sv_file *file, int var, const Column &column, std::vector<char> &slab, const sv_grid_report &report) {
  const int64_t rows = column.on == On::nodes ? report.nodes : report.kept_cells;
  const bool gives = !slab.empty();
  for (int64_t first = 0; first < rows; first += slab_rows) {
    const int64_t n = std::min(slab_rows, rows - first);
    const int64_t start[2] = {gives ? first : 0, 0}, count[2] = {gives ? n : 0, gives ? 4 : 0};
    if (gives) column.values(first, n, slab.data());
    must(sv_put_vara(file, var, start, count, column.type, slab.data(), nullptr));
  }
}

void fill(Run &run, sv_file *file, const Contents &contents) {
  Dimensions dims{};
  must(sv_def_dim(file, "cell", contents.report.kept_cells, &dims.cell));
  must(sv_def_dim(file, "node", contents.report.nodes, &dims.node));
  must(sv_def_dim(file, "four", 4, &dims.four));
  put_global(file, contents);
  const int mesh = define_mesh(file);
  const std::vector<Column> columns = all_columns(contents);
  std::vector<int> ids;
  for (const Column &column : columns) ids.push_back(define(file, column, dims));
  must(sv_enddef(file));
  std::vector<char> slab;
  run.on_root([&] { slab.resize(static_cast<size_t>(slab_rows * most_row_bytes)); });
  const int32_t topology = 0;  // UGRID leaves the value to the writer
  must(sv_put_var(file, mesh, SV_NO_RECORD, SV_INT, &topology, nullptr));
  for (size_t i = 0; i < columns.size(); ++i) put(file, ids[i], columns[i], slab, contents.report);
}

}  // namespace

void write_file(Run &run, const Contents &contents, const char *path) {
  sv_file *file = nullptr;
  must(sv_create(run.io(), path, SV_CLOBBER, &file));
  run.closing(file, [&] { fill(run, file, contents); });
}

}  // namespace sv::grid
