// The runs of MOM5 in Yang, Ward, Evans 2020, "Parallel I/O in Flexible Modelling System (FMS) and Modular Ocean Model
// 5 (MOM5)", scaled.
#pragma once

#include <string>
#include <vector>

#include "methods/several.hpp"
#include "overlap/compute.hpp"
#include "workload/blocks.hpp"

namespace sv_bench {

/// A resolution (its Table 3).
struct OceanGrid {
  int64_t columns, rows, steps;
};
constexpr int64_t ocean_levels = 50;
/// "0.25" or "0.1", with so many times fewer cells in a level; at least one row and column. Local.
OceanGrid ocean_grid(const std::string &resolution, double scale);

/// The ranks and I/O domains of the paper's runs with so many PEs (4.2.1, 5): x 0 where it has none.
struct OceanLayout {
  Ranks ranks, io;
};
OceanLayout paper_layout(const std::string &resolution, int ranks);

/// The input and output of the model: initial temperature and salinity; five single-precision fields per step; and
/// double- precision restart files at the end. Guard cells of one cell around the output.
class Ocean {
 public:
  /// Nothing is allocated yet.
  Ocean(MPI_Comm comm, const OceanGrid &grid, const Ranks &ranks);
  void fill();

  int64_t written_bytes() const;  // by all ranks
  int64_t needed_bytes() const;   // memory of this rank
  /// The one that is read from the path `input`; the diagnostic file, each step of which is computed before; and the
  /// restart files. Its descriptions live no longer than this.
  Schedule schedule(const Team &team, const std::string &input, const ComputeWish &compute, const Ranks &ranks) const;
  const Workload &diagnostics() const { return *workloads_[1]; }
  const Workload &initial() const { return *workloads_.front(); }

 private:
  std::vector<std::string> names_;
  Workloads workloads_;  // in the order of files()
};

}  // namespace sv_bench
