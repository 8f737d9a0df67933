// The common part of the two schedules of a combined plan: its stretches are the sinks, and its slices the arriving
// data. The schedules differ in the description of each rank's part of a slice: combined_schedule.hpp uses claims,
// run_schedule.hpp runs.
#pragma once

#include <vector>

#include "packing/schedule.hpp"
#include "plan/combined.hpp"

namespace sv {

class StretchSchedule : public Schedule {
 public:
  /// `plan` must outlive it.
  explicit StretchSchedule(const CombinedPlan &plan) : plan_(plan) {}

  int rounds() const override { return plan_.rounds(); }
  int sinks() const override { return static_cast<int>(plan_.stretches().size()); }
  int rank_of(int sink) const override { return plan_.stretches()[static_cast<size_t>(sink)].rank; }
  std::vector<int> sinks_of_node(int node) const override { return plan_.stretches_of_node(node); }
  int64_t slice_begin(int sink, int) const override {
    return plan_.stretches()[static_cast<size_t>(sink)].window_bytes;
  }
  int64_t slice_bytes(int sink, int round) const override { return plan_.slice_bytes(sink, round); }
  int64_t depth() const override { return plan_.depth(); }
  bool fills() const override { return plan_.fills(); }
  void fill(int sink, int round, std::byte *slice) const override;

 protected:
  const CombinedPlan &plan_;
};

}  // namespace sv
