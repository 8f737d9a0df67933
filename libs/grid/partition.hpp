// The owners of cells.
#pragma once

#include <cstdint>
#include <vector>

#include "graph.hpp"
#include "sverdrup/grid.h"

namespace sv::grid {

/// The graph in METIS's form (compressed rows), and the weights of its vertices (empty: 1 each).
struct Graph {
  std::vector<int32_t> begins, neighbours, weights;
};

/// `depths`: of the cells of the full grid. Weights as the request asks.
Graph make_graph(const Mesh &mesh, const std::vector<float> &depths, const sv_grid_request &request);

struct Partition {
  std::vector<int32_t> owner;  // of each cell; every rank owns at least one
  sv_grid_partition facts{};
};

/// METIS, k-way. The same graph gives the same partition. Throws Failure where there are more ranks than cells, or
/// METIS fails.
Partition make_partition(Graph &graph, int ranks);

}  // namespace sv::grid
