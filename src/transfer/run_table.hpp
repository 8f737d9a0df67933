// Different requests of the ranks in one call or wait, on a file whose positions we know: a table that is distributed
// over the ranks. Each keeps its own requests as runs of the file, and sends them only to the rank that writes (or
// reads) their stretch; that rank finds covered cells, and cells that two ranks put (transfer/exchange_runs.hpp). A
// value.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "packing/run_schedule.hpp"
#include "transfer/field_lines.hpp"
#include "transfer/own_runs.hpp"

namespace sv {

struct RunTable {
  OwnRuns own;
  std::optional<LongLines> long_lines;
  std::unique_ptr<const CombinedPlan> plan;  // none if there is no request, or each rank reads independently
  /// This rank's runs in a slice: their indices, and their bytes, those that they share counted once. By sink and
  /// round.
  struct InSlice {
    size_t first = 0, last = 0;
    int64_t bytes = 0;
  };
  std::vector<InSlice> slices;
  int own_sink = -1;                       // whose rank this one is
  std::vector<SliceRun> covered;           // of its slices
  std::vector<size_t> covered_of_round;    // where those of each round begin, and one more
  std::vector<std::vector<int64_t>> near;  // as of RunSchedule
  std::vector<RunsOfRank> far;

  const InSlice &in_slice(int sink, int round) const {
    return slices[static_cast<size_t>(sink * plan->rounds() + round)];
  }
};

}  // namespace sv
