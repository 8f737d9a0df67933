#include "picture.hpp"

#include <sverdrup/sverdrup.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <stdexcept>

#include "canvas.hpp"
#include "support/copying.hpp"

namespace sv_tools {

namespace {

constexpr int most_columns = 720, most_lines = 360;
constexpr size_t most_grid_cells = size_t{1} << 31;  // their numbers are 32-bit

struct Partitioned {
  std::vector<int> shape;   // of the full grid, slowest first
  std::vector<int> owners;  // of the full grid; -1: removed
  int64_t kept = 0, edge_cut = 0;
};

/// On a context of its own, of one rank.
class OwnFile {
 public:
  explicit OwnFile(const std::string &path) {
    const char *const options[] = {"async=none"};
    must(sv_init(MPI_COMM_SELF, nullptr, 1, options, &io_));
    const int status = sv_open(io_, path.c_str(), SV_NOWRITE, &file_);
    if (status == SV_OK) return;
    const std::runtime_error cause(sv_message());
    sv_finalize(io_);
    throw cause;
  }
  OwnFile(const OwnFile &) = delete;
  OwnFile &operator=(const OwnFile &) = delete;
  ~OwnFile() {
    sv_close(file_);  // nothing was written
    sv_finalize(io_);
  }

  std::vector<int> attribute(int var, const char *name) const {
    int64_t count = 0;
    must(sv_inq_att(file_, var, name, nullptr, &count));
    std::vector<int> values(static_cast<size_t>(count));
    must(sv_get_att(file_, var, name, SV_INT, values.data()));
    return values;
  }
  int variable(const std::string &name) const {
    int var = -1;
    must(sv_inq_varid(file_, name.c_str(), &var));
    return var;
  }
  /// Of a variable of one dimension.
  std::vector<int> values(int var) const {
    std::array<int, SV_MAX_DIMS> dims{};
    int n = 0;
    int64_t cells = 0;
    must(sv_inq_var(file_, var, nullptr, nullptr, &n, dims.data(), nullptr));
    if (n != 1) return {};
    must(sv_inq_dim(file_, dims[0], nullptr, &cells));
    std::vector<int> all(static_cast<size_t>(cells));
    must(sv_get_var(file_, var, SV_NO_RECORD, SV_INT, all.data(), nullptr));
    return all;
  }

 private:
  sv_context *io_ = nullptr;
  sv_file *file_ = nullptr;
};

/// By somebody else, after it was made: it is opened again by its name.
std::runtime_error replaced(const std::string &path) {
  return std::runtime_error("'" + path + "' has no longer the grid that was written. Give OUT a name of its own");
}

Partitioned read_partition(const std::string &path, int ranks) {
  const OwnFile file(path);
  Partitioned grid;
  grid.shape = file.attribute(SV_GLOBAL, "grid_shape");
  grid.kept = file.attribute(SV_GLOBAL, "kept_cells").at(0);
  const int owner = file.variable("owner_" + std::to_string(ranks));
  grid.edge_cut = file.attribute(owner, "edge_cut").at(0);
  const std::vector<int> owners = file.values(owner), full = file.values(file.variable("full_index"));
  const bool is_map = grid.shape.size() == 2, is_cube = grid.shape.size() == 3;
  if ((!is_map && !is_cube) || owners.size() != full.size()) throw replaced(path);
  if (is_cube && (grid.shape[0] != 6 || grid.shape[1] != grid.shape[2])) throw replaced(path);
  size_t cells = 1;
  for (const int length : grid.shape) {
    if (length < 1 || cells > most_grid_cells / static_cast<size_t>(length)) throw replaced(path);
    cells *= static_cast<size_t>(length);
  }
  grid.owners.assign(cells, Canvas::land);
  for (size_t cell = 0; cell < full.size(); ++cell) {
    if (full[cell] < 0 || static_cast<size_t>(full[cell]) >= cells || owners[cell] < 0 || owners[cell] >= ranks)
      throw replaced(path);
    grid.owners[static_cast<size_t>(full[cell])] = owners[cell];
  }
  return grid;
}

/// One plane of the grid, `ny` x `nx` cells from `first`, fitted into pixels; each shows the cell at its centre.
struct Plane {
  int64_t first;
  int nx, ny;
  int left, top, width, height;  // px
};

void draw(const Partitioned &grid, const Plane &plane, Canvas &canvas) {
  for (int y = 0; y < plane.height; ++y) {
    const int64_t j = plane.ny - 1 - (2 * y + 1) * int64_t{plane.ny} / (2 * plane.height);
    for (int x = 0; x < plane.width; ++x) {
      const int64_t i = (2 * x + 1) * int64_t{plane.nx} / (2 * plane.width);
      canvas.at(plane.left + x, plane.top + y) = grid.owners[static_cast<size_t>(plane.first + j * plane.nx + i)];
    }
  }
}

/// Whole pixels for each cell, where there is room.
int pixels(int cells, int room) { return cells > room ? room : room / cells * cells; }

Canvas draw_map(const Partitioned &grid) {
  const int ny = grid.shape[0], nx = grid.shape[1];
  const double scale = std::min({double{most_columns} / nx, double{most_lines} / ny});
  const int width = std::max(1, static_cast<int>(nx * scale)), height = std::max(1, static_cast<int>(ny * scale));
  Canvas canvas(width, height);
  draw(grid, {0, nx, ny, 0, 0, width, height}, canvas);
  return canvas;
}

/// The four faces around the equator in a row, the one at 0 E second; above and below it, those at the poles.
Canvas draw_cross(const Partitioned &grid) {
  const int n = grid.shape[1], side = pixels(n, most_columns / 4);
  Canvas canvas(4 * side, 3 * side);
  for (int face = 0; face < 6; ++face) {
    const int left = face < 4 ? (face + 1) % 4 * side : side, top = face < 4 ? side : face == 4 ? 0 : 2 * side;
    draw(grid, {int64_t{face} * n * n, n, n, left, top, side, side}, canvas);
  }
  return canvas;
}

}  // namespace

void draw_partition(const std::string &path, int ranks, const std::string &picture) {
  const Partitioned grid = read_partition(path, ranks);
  const Canvas canvas = grid.shape.size() == 2 ? draw_map(grid) : draw_cross(grid);
  std::string size;  // as it is asked for: longitudes first, faces first
  for (const int length : grid.shape) {
    const std::string text = std::to_string(length);
    size = size.empty() ? text : grid.shape.size() == 2 ? text + " × " + size : size + " × " + text;
  }
  const std::string title = std::to_string(grid.kept) + " of " + size + " cells over " + std::to_string(ranks) +
                            " ranks, edge cut " + std::to_string(grid.edge_cut);
  std::ofstream out(picture);
  out << svg_of(canvas, choose_colours(canvas, ranks), title);
  out.close();
  if (!out) throw std::runtime_error("'" + picture + "' cannot be written. Check the path and the space left");
}

}  // namespace sv_tools
