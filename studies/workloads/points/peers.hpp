// The methods that write points.
#pragma once

#include <string>
#include <vector>

#include "division.hpp"
#include "method.hpp"

namespace sv_bench {

/// One shared array for a record; the first `writers` ranks write it.
Peer points_floor_peer(const Workload &workload, int writers);

/// By MPI_Alltoallv to the first `workers` ranks, which order the values and put them with PnetCDF, collectively.
Peer pnetcdf_reorder_peer(const std::string &name, const Workload &workload, Partition partition, int workers);
/// Every rank puts its own values with PnetCDF, one segment for each stretch of cells.
Peer pnetcdf_varn_peer(const std::string &name, const Workload &workload);

/// What the paper compares.
struct PaperRun {
  Partition partition;
  int workers;
  bool reorder, combined;
  bool each = false;  // unordered values go by a call, and so a write, for each stretch; otherwise by one call
};
/// The paper's program by PnetCDF: rank 0 gathers a variable, orders it or not, and deals it to the first ranks, which
/// put it; the file is opened and closed once, or for every variable.
Peer pnetcdf_paper_peer(const std::string &name, const Workload &workload, const PaperRun &wish);

}  // namespace sv_bench
