#include <algorithm>

#include "base/error.hpp"
#include "layout/layout.hpp"

namespace sv {

namespace {

/// The dimension of x (1: columns) or y (0: rows) in a layout; −1 where it has none.
int axis_of(const Layout &layout, int which) { return layout.shape().n - 2 + which; }

/// Where the blocks begin along a dimension, ascending; one start, 0, for a dimension that is not there.
std::vector<int64_t> distinct_starts(const Layout &layout, int dim) {
  if (dim < 0 || layout.patches().empty()) return {0};
  std::vector<int64_t> starts;
  starts.reserve(layout.patches().size());
  for (const Patch &patch : layout.patches()) starts.push_back(patch.box.start[dim]);
  std::sort(starts.begin(), starts.end());
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  return starts;
}

/// Throws unless every block ends before the next column (row) begins.
void check_grid(const Layout &layout, int dim, const std::vector<int64_t> &starts) {
  for (const Patch &patch : layout.patches()) {
    const auto next = std::upper_bound(starts.begin(), starts.end(), patch.box.start[dim]);
    if (next == starts.end() || patch.box.start[dim] + patch.box.count[dim] <= *next) continue;
    throw Error(Status::invalid,
                "I/O domains need blocks that form columns and rows, but the block " + text_of(patch.box) +
                    " of rank " + std::to_string(patch.rank) + " reaches beyond cell " + std::to_string(*next) +
                    " of dimension " + std::to_string(dim) + ", where other blocks begin",
                "Use the route 'ranges' or 'shared' for this decomposition");
  }
}

/// Where the groups of columns (rows) begin; the end of the dimension last.
std::vector<int64_t> group_bounds(const Layout &layout, int dim, int groups) {
  if (dim < 0) return {0, 1};
  const std::vector<int64_t> starts = distinct_starts(layout, dim);
  check_grid(layout, dim, starts);
  std::vector<int64_t> bounds{0};
  for (int group = 1; group < groups; ++group) {
    bounds.push_back(starts[part_of(static_cast<int64_t>(starts.size()), groups, group).start]);
  }
  bounds.push_back(layout.shape()[dim]);
  return bounds;
}

int64_t group_of(const std::vector<int64_t> &bounds, const Box &box, int dim) {
  if (dim < 0) return 0;
  return std::upper_bound(bounds.begin(), bounds.end(), box.start[dim]) - bounds.begin() - 1;
}

void set_extent(Box &box, int dim, const std::vector<int64_t> &bounds, int64_t group) {
  if (dim < 0) return;
  box.start[dim] = bounds[group];
  box.count[dim] = bounds[group + 1] - bounds[group];
}

std::string text_of_pair(int x, int y) { return std::to_string(x) + "," + std::to_string(y); }

}  // namespace

ProcessGrid process_grid(const Layout &layout) {
  return {static_cast<int>(distinct_starts(layout, axis_of(layout, 1)).size()),
          static_cast<int>(distinct_starts(layout, axis_of(layout, 0)).size())};
}

std::vector<IoDomain> io_domains(const Layout &layout, int io_nx, int io_ny) {
  const ProcessGrid grid = process_grid(layout);
  if (io_nx < 1 || io_ny < 1 || io_nx > grid.columns || io_ny > grid.rows) {
    throw Error(Status::invalid,
                "io_layout = " + text_of_pair(io_nx, io_ny) + " does not fit the decomposition, which has " +
                    std::to_string(grid.columns) + " columns and " + std::to_string(grid.rows) + " rows of blocks",
                "The nearest valid one is io_layout = " +
                    text_of_pair(std::clamp(io_nx, 1, grid.columns), std::clamp(io_ny, 1, grid.rows)));
  }
  const int x = axis_of(layout, 1), y = axis_of(layout, 0);
  const std::vector<int64_t> columns = group_bounds(layout, x, io_nx), rows = group_bounds(layout, y, io_ny);
  std::vector<int> roots(static_cast<size_t>(io_nx) * io_ny, layout.ranks());
  for (const Patch &patch : layout.patches()) {
    int &root = roots[group_of(rows, patch.box, y) * io_nx + group_of(columns, patch.box, x)];
    root = std::min(root, patch.rank);
  }
  std::vector<IoDomain> domains;
  for (int64_t d = 0; d < static_cast<int64_t>(roots.size()); ++d) {
    if (roots[d] == layout.ranks()) continue;
    IoDomain domain{Box::whole(layout.shape()), roots[d]};
    set_extent(domain.box, x, columns, d % io_nx);
    set_extent(domain.box, y, rows, d / io_nx);
    domains.push_back(domain);
  }
  return domains;
}

}  // namespace sv
