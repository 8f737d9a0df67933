// A combined plan whose claims are runs, as a transport sees it: what each rank has of a slice is known to that rank,
// to those of its node as a number of bytes, and to who writes (or reads) the slice as a list, if it is of another
// node.
#pragma once

#include <span>
#include <vector>

#include "packing/schedule.hpp"
#include "plan/combined.hpp"
#include "plan/slice_runs.hpp"

namespace sv {

/// What a rank has of one stretch.
struct RunsOfRank {
  std::vector<SliceRun> runs;
  std::vector<size_t> first;   // by round, and one more
  std::vector<int64_t> bytes;  // by round
};

class RunSchedule final : public Schedule {
 public:
  /// `near`: of each rank of this node, the bytes it has of each slice, by sink and round; of others nothing. `far`: of
  /// ranks of other nodes, what they have of this rank's own stretch. All must outlive it.
  RunSchedule(const CombinedPlan &plan, const std::vector<std::vector<int64_t>> &near,
              const std::vector<RunsOfRank> &far)
      : plan_(plan), near_(near), far_(far) {}

  int rounds() const override { return plan_.rounds(); }
  int sinks() const override { return static_cast<int>(plan_.stretches().size()); }
  int rank_of(int sink) const override { return plan_.stretches()[static_cast<size_t>(sink)].rank; }
  std::vector<int> sinks_of_node(int node) const override { return plan_.stretches_of_node(node); }
  int64_t slice_begin(int sink, int) const override {
    return plan_.stretches()[static_cast<size_t>(sink)].window_bytes;
  }
  int64_t slice_bytes(int sink, int round) const override { return plan_.slice_bytes(sink, round); }
  int64_t depth() const override { return plan_.depth(); }
  int64_t bytes_of(int rank, int sink, int round) const override;
  void spread(const Part &part, const std::byte *message, std::byte *slice) const override;
  void gather(const Part &part, const std::byte *slice, std::byte *message) const override;
  bool fills() const override { return plan_.fills(); }
  void fill(int sink, int round, std::byte *slice) const override;

 private:
  std::span<const SliceRun> runs_of(const Part &part) const;

  const CombinedPlan &plan_;
  const std::vector<std::vector<int64_t>> &near_;
  const std::vector<RunsOfRank> &far_;
};

}  // namespace sv
