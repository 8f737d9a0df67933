// The file: UGRID 1.0, CF 1.11. docs/grids.md describes it.
#pragma once

#include <vector>

#include "graph.hpp"
#include "partition.hpp"
#include "run.hpp"

namespace sv::grid {

/// The contents of the file. `mesh`, `depths` (of the full grid) and the owners are those of rank 0; all ranks know the
/// facts of the partitions and the counts of the report.
struct Contents {
  const FullGrid &grid;
  const Mesh &mesh;
  const std::vector<float> &depths;
  const std::vector<Partition> &partitions;
  const sv_grid_request &request;
  const sv_grid_report &report;
};

/// Collective. Rank 0 hands over; all write. Throws ReportedFailure.
void write_file(Run &run, const Contents &contents, const char *path);

}  // namespace sv::grid
