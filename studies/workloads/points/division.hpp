// How a variable is divided among those who write it: Pang, Yu, Zhang, Ye 2023, "An asynchronous parallel I/O framework
// for Mass Conservation Ocean Model", section 5.3.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workload/workload.hpp"

namespace sv_bench {

enum class Partition { cells, levels, ranges };
/// Throws std::invalid_argument.
Partition partition_named(const std::string &name);

struct Interval {
  int64_t begin, end;
  bool empty() const { return begin >= end; }
};

/// A variable of levels x cells among `workers`. Without levels it is divided by cells in any case.
struct Division {
  int64_t levels, cells;
  int workers;
  Partition partition;

  /// The cells that a worker writes of a level.
  Interval of(int worker, int64_t level) const;
  /// The smallest stretch of cells that has those of all levels.
  Interval hull(int worker) const;
  /// Values of a worker.
  int64_t values(int worker) const;
  /// The worker's part of the variable, as few regions of (level, cell), or of (cell) without levels; in their order
  /// the values of its levels, one after the other. One region of no values for a worker that has none.
  std::vector<Region> regions(int worker, bool has_levels) const;
  /// Whether every worker's part is one region.
  bool in_one_piece() const;
};

}  // namespace sv_bench
