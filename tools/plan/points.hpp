// Layouts of points: the owners of a grid's cells, for a plan without a model.
#pragma once

#include <memory>
#include <string>

#include "plan/plan.hpp"

namespace sv_plan {

/// How points are dealt to ranks: each cell to any rank ("random"), or to each rank a strip of the mesh: cells that
/// follow one another in the file ("strips").
const std::vector<std::string> &point_kinds();

/// Every rank knows the points of all. Throws sv::Error where a rank would have no cell, or there are too many cells to
/// deal them one by one.
std::shared_ptr<const sv::Layout> point_layout(const std::string &kind, const sv::Index &grid, int ranks);

/// The memory of ranks for the owners of points, in bytes: as src/transfer/points.cpp, which shares it on each node.
struct PointMemory {
  int64_t runs = 0, most_runs = 0;  // of all ranks; of one
  int64_t rank_bytes = 0;           // of the rank that has most, for itself
  int64_t node_bytes = 0;           // of the node that has most, for all its ranks
};
PointMemory memory_of_points(const sv::Plan &plan, const sv::Topology &topology);

}  // namespace sv_plan
