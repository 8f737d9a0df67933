// The cells that are kept as a graph, and as a mesh.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "full_grid.hpp"

namespace sv::grid {

struct Mesh {
  std::vector<int32_t> full_index;                 // of each cell
  std::vector<std::array<int32_t, 4>> neighbours;  // across each edge; -1: none
  std::vector<std::array<int32_t, 4>> face_nodes;
  std::vector<int32_t> full_node;  // of each node

  int64_t cells() const { return static_cast<int64_t>(full_index.size()); }
  int64_t nodes() const { return static_cast<int64_t>(full_node.size()); }
};

/// Nodes are numbered in the order in which the cells meet them.
Mesh make_mesh(const FullGrid &grid, std::vector<int32_t> full_index);

}  // namespace sv::grid
