#include "graph.hpp"

namespace sv::grid {

namespace {

void find_neighbours(const FullGrid &grid, Mesh &mesh) {
  std::vector<int32_t> number(static_cast<size_t>(grid.cells()), -1);
  for (size_t cell = 0; cell < mesh.full_index.size(); ++cell)
    number[static_cast<size_t>(mesh.full_index[cell])] = static_cast<int32_t>(cell);
  mesh.neighbours.resize(mesh.full_index.size());
  for (size_t cell = 0; cell < mesh.full_index.size(); ++cell) {
    for (int edge = 0; edge < 4; ++edge) {
      const int64_t other = grid.neighbour(mesh.full_index[cell], edge);
      mesh.neighbours[cell][static_cast<size_t>(edge)] = other < 0 ? -1 : number[static_cast<size_t>(other)];
    }
  }
}

void find_nodes(const FullGrid &grid, Mesh &mesh) {
  std::vector<int32_t> number(static_cast<size_t>(grid.nodes()), -1);
  mesh.face_nodes.resize(mesh.full_index.size());
  for (size_t cell = 0; cell < mesh.full_index.size(); ++cell) {
    const std::array<int64_t, 4> corners = grid.corners(mesh.full_index[cell]);
    for (size_t corner = 0; corner < 4; ++corner) {
      int32_t &node = number[static_cast<size_t>(corners[corner])];
      if (node < 0) {
        node = static_cast<int32_t>(mesh.full_node.size());
        mesh.full_node.push_back(static_cast<int32_t>(corners[corner]));
      }
      mesh.face_nodes[cell][corner] = node;
    }
  }
}

}  // namespace

Mesh make_mesh(const FullGrid &grid, std::vector<int32_t> full_index) {
  Mesh mesh;
  mesh.full_index = std::move(full_index);
  find_neighbours(grid, mesh);
  find_nodes(grid, mesh);
  return mesh;
}

}  // namespace sv::grid
