// One run of a model: the output of its ranks, with times.
#pragma once

#include <memory>
#include <vector>

#include "methods/several.hpp"
#include "ocean_models.hpp"
#include "overlap/compute.hpp"
#include "workload/blocks.hpp"

namespace sv_bench {

/// What the user makes of a model.
struct StreamWish {
  StreamModel model;
  double scale = 0;      // divides the cells of a level, and the paper's time of computing
  int64_t steps = 0;     // of the model
  bool growing = false;  // one file for each stream, with a record for each output; otherwise a file for each output
  ComputeWish compute = {};
  Ranks ranks{0, 0};  // that divide the grid
};

/// Rows and columns of the scaled grid, at least one of each. Local.
int64_t rows_of(const StreamWish &wish);
int64_t columns_of(const StreamWish &wish);

/// Files of a stream that are alike.
struct DescribedStream {
  std::string name;
  Schema schema;
  int64_t files;
  std::vector<int64_t> after;  // steps, counted from 1, one for each output
};
/// Of each stream that has an output. Local.
std::vector<DescribedStream> described(const StreamWish &wish);

/// The workloads of this rank: one for each stream that has an output in these steps.
class StreamRun {
 public:
  /// Collective over `team`. Nothing is allocated yet. Throws std::invalid_argument where no stream has an output.
  StreamRun(const Team &team, const StreamWish &wish);
  void fill();

  /// The streams in the order of the model, in one moment those that come due together. Lives no longer than this.
  const Schedule &schedule() const { return schedule_; }
  const Workloads &workloads() const { return workloads_; }
  int64_t bytes() const;               // of all files, by all ranks
  int64_t needed_bytes() const;        // memory of this rank
  int64_t largest_slab_bytes() const;  // of a variable

 private:
  Workloads workloads_;
  Schedule schedule_;
};

}  // namespace sv_bench
