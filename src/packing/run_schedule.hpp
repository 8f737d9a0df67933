// A combined plan whose claims are runs, as a transport sees it. Each rank knows its own part of a slice; the ranks of
// its node know the number of its bytes; the slice's writer (or reader) on another node knows it as a list.
#pragma once

#include <span>
#include <vector>

#include "packing/stretch_schedule.hpp"
#include "plan/slice_runs.hpp"

namespace sv {

/// A rank's part of one stretch.
struct RunsOfRank {
  std::vector<SliceRun> runs;
  std::vector<size_t> first;   // by round, and one more
  std::vector<int64_t> bytes;  // by round
};

class RunSchedule final : public StretchSchedule {
 public:
  /// `near`: of each rank of this node, the bytes it has of each slice, by sink and round; of others nothing. `far`: of
  /// ranks of other nodes, what they have of this rank's own stretch. All must outlive it.
  RunSchedule(const CombinedPlan &plan, const std::vector<std::vector<int64_t>> &near,
              const std::vector<RunsOfRank> &far)
      : StretchSchedule(plan), near_(near), far_(far) {}

  int64_t bytes_of(int rank, int sink, int round) const override;
  void spread(const Part &part, const std::byte *message, std::byte *slice) const override;
  void gather(const Part &part, const std::byte *slice, std::byte *message) const override;

 private:
  std::span<const SliceRun> runs_of(const Part &part) const;

  const std::vector<std::vector<int64_t>> &near_;
  const std::vector<RunsOfRank> &far_;
};

}  // namespace sv
