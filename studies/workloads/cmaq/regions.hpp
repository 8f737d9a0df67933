// The domains of Wong, Yang, Fu, Wong, Gao 2015, "An approach to enhance pnetCDF performance in environmental modeling
// applications" (4.2), and its model: a loop that reads, computes and writes the same species.
#pragma once

#include <memory>
#include <string>

#include "methods/serial_netcdf.hpp"
#include "overlap/compute.hpp"
#include "workload/blocks.hpp"

namespace sv_bench {

struct AirRegion {
  int64_t columns, rows, layers, species, steps;
};
/// "ca", "eus", "conus": three steps, as in its mock-up; "real": its day of CMAQ, an output an hour. `scale`: so many
/// times fewer cells in a layer. Local.
AirRegion air_region(const std::string &name, double scale);

/// The columns and rows of ranks of its experiments with so many; 0 where it has none.
Ranks paper_ranks(const std::string &region, int ranks);

/// A variable (time, layer, row, column) of single precision for each species; a step is a record of all of them.
/// Nothing is allocated yet.
std::unique_ptr<Workload> air_workload(MPI_Comm comm, const AirRegion &region, const Ranks &ranks);

/// Each step begins with reading a file of the workload's values, of which each rank reads its part with serial netCDF,
/// as CMAQ does with each output library; every value is compared. Then TimedModel computes.
class ReadingModel : public Model {
 public:
  /// `workload` outlives it. Local.
  ReadingModel(const Workload &workload, const ComputeWish &wish, const Ranks &ranks, std::string input);
  Computed compute(size_t step, const std::function<void(bool)> &communicates) override;

 private:
  const Workload &workload_;
  const std::string input_;
  TimedModel timed_;
  NetcdfReader reader_;
  std::vector<std::byte> values_;
};

}  // namespace sv_bench
