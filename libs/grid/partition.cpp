// Karypis, Kumar 1998, "Multilevel k-way Partitioning Scheme for Irregular Graphs": METIS.
#include "partition.hpp"

#include <metis.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numeric>
#include <string>
#include <type_traits>

#include "failure.hpp"

namespace sv::grid {

namespace {

static_assert(std::is_same_v<idx_t, int32_t>, "METIS with 32-bit numbers (IDXTYPEWIDTH 32) is needed");

int32_t levels_above(float depth, const sv_grid_request &request) {
  const double *const end = request.level_tops + request.n_levels;
  return std::max<int32_t>(1,
                           static_cast<int32_t>(std::lower_bound(request.level_tops, end, depth) - request.level_tops));
}

void call_metis(Graph &graph, int ranks, std::vector<int32_t> &owner) {
  auto cells = static_cast<idx_t>(owner.size());
  idx_t constraints = 1, parts = ranks, edge_cut = 0;
  std::array<idx_t, METIS_NOPTIONS> options{};
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = 1;
  const int status = METIS_PartGraphKway(&cells, &constraints, graph.begins.data(), graph.neighbours.data(),
                                         graph.weights.empty() ? nullptr : graph.weights.data(), nullptr, nullptr,
                                         &parts, nullptr, nullptr, options.data(), &edge_cut, owner.data());
  if (status == METIS_ERROR_MEMORY)
    throw Failure(SV_ENOMEM, "METIS had no memory for " + std::to_string(ranks) + " parts",
                  "Use a node with more memory, or a coarser grid");
  if (status != METIS_OK)
    throw Failure(SV_EINTERNAL,
                  "METIS failed for " + std::to_string(ranks) + " parts, with status " + std::to_string(status),
                  "Try another number of ranks");
}

/// METIS leaves parts empty where there are few cells for each: they get cells of the largest.
void fill_empty_parts(std::vector<int32_t> &owner, int ranks) {
  std::vector<int64_t> cells(static_cast<size_t>(ranks), 0);
  for (const int32_t rank : owner) ++cells[static_cast<size_t>(rank)];
  for (int rank = 0; rank < ranks; ++rank) {
    if (cells[static_cast<size_t>(rank)] > 0) continue;
    const auto largest = std::max_element(cells.begin(), cells.end());
    *std::find(owner.begin(), owner.end(), static_cast<int32_t>(largest - cells.begin())) = rank;
    --*largest;
    cells[static_cast<size_t>(rank)] = 1;
  }
}

/// Every pair is found from both sides.
int64_t cut_edges(const Graph &graph, const std::vector<int32_t> &owner) {
  int64_t cut = 0;
  for (size_t cell = 0; cell < owner.size(); ++cell)
    for (auto i = graph.begins[cell]; i < graph.begins[cell + 1]; ++i)
      cut += owner[static_cast<size_t>(graph.neighbours[static_cast<size_t>(i)])] != owner[cell];
  return cut / 2;
}

double imbalance(const Graph &graph, const std::vector<int32_t> &owner, int ranks) {
  std::vector<int64_t> weights(static_cast<size_t>(ranks), 0);
  for (size_t cell = 0; cell < owner.size(); ++cell)
    weights[static_cast<size_t>(owner[cell])] += graph.weights.empty() ? 1 : graph.weights[cell];
  const int64_t all = std::accumulate(weights.begin(), weights.end(), int64_t{0});
  return static_cast<double>(*std::max_element(weights.begin(), weights.end())) * ranks / static_cast<double>(all);
}

}  // namespace

Graph make_graph(const Mesh &mesh, const std::vector<float> &depths, const sv_grid_request &request) {
  Graph graph;
  graph.begins.reserve(mesh.full_index.size() + 1);
  graph.neighbours.reserve(4 * mesh.full_index.size());
  graph.begins.push_back(0);
  for (const auto &across : mesh.neighbours) {
    for (const int32_t other : across)
      if (other >= 0) graph.neighbours.push_back(other);
    graph.begins.push_back(static_cast<int32_t>(graph.neighbours.size()));
  }
  if (request.n_levels > 0)
    for (const int32_t full : mesh.full_index)
      graph.weights.push_back(levels_above(depths[static_cast<size_t>(full)], request));
  return graph;
}

Partition make_partition(Graph &graph, int ranks) {
  const auto begin = std::chrono::steady_clock::now();
  const size_t cells = graph.begins.size() - 1;
  if (static_cast<size_t>(ranks) > cells)
    throw Failure(SV_EINVAL, std::to_string(ranks) + " ranks for " + std::to_string(cells) + " cells",
                  "Every rank owns at least one: give fewer ranks, or a finer grid");
  Partition partition;
  partition.owner.assign(cells, 0);
  if (ranks > 1) call_metis(graph, ranks, partition.owner);
  fill_empty_parts(partition.owner, ranks);
  partition.facts.ranks = ranks;
  partition.facts.edge_cut = cut_edges(graph, partition.owner);
  partition.facts.imbalance = imbalance(graph, partition.owner, ranks);
  partition.facts.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return partition;
}

}  // namespace sv::grid
