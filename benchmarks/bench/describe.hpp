// Describes the output of a workload as a file that sv-plan reads (`sv-plan --case`), without measuring anything.
#pragma once

#include <string>
#include <vector>

#include "options.hpp"
#include "workload/blocks.hpp"

namespace sv_bench {

struct DescribedFile {
  std::string name;
  const Schema &schema;
  bool reads = false;
  std::string reading = {};  // how, where the workload does not leave that to the configuration
  int64_t times = 1;         // that such a file is made
  /// Steps, counted from 1, after which its outputs come, each record of each file; none: evenly over the run.
  std::vector<int64_t> after = {};
};

struct Description {
  std::string workload;
  Ranks layout;  // of the ranks that compute
  int64_t steps;
  double compute_seconds;  // of a step
  std::vector<DescribedFile> files;
};

/// Rank 0 writes it to options.describe; `ranks` of all nodes, and how many share one, are those that were started.
/// Collective. Throws std::runtime_error.
void describe(const Description &what, const Options &options);

}  // namespace sv_bench
