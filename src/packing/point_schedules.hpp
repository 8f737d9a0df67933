// The two hops of points with primaries, as a transport sees them (Pang et al. 2023, Sect. 4.1 and 4.3): primaries
// collect the ranks' points as they come, order them, and pass them on.
#pragma once

#include <memory>

#include "packing/stage_schedule.hpp"

namespace sv {

/// Slices hold the bodies of the ranks that send to a sink, one behind the other: a primary collects so from its group.
class CollectSchedule final : public Schedule {
 public:
  /// `plan` has groups, and must outlive it.
  CollectSchedule(const Plan &plan, int stage) : plan_(plan), ranges_(plan, stage), stage_(stage) {}

  int rounds() const override { return plan_.rounds; }
  int sinks() const override { return ranges_.sinks(); }
  int rank_of(int sink) const override { return ranges_.rank_of(sink); }
  std::vector<int> sinks_of_node(int node) const override { return ranges_.sinks_of_node(node); }
  int64_t slice_begin(int sink, int round) const override;
  int64_t slice_bytes(int sink, int round) const override;
  int64_t bytes_of(int rank, int sink, int round) const override;
  void spread(const Part &part, const std::byte *message, std::byte *slice) const override;
  void gather(const Part &part, const std::byte *slice, std::byte *message) const override;
  bool fills() const override { return false; }
  void fill(int, int, std::byte *) const override {}

  CellRanges ranges(int sink, int round) const { return ranges_.ranges(sink, round); }
  /// Where the body of a rank begins in a slice, in bytes. It asks for the points of the ranks before it in the group.
  int64_t body_begin(const Part &part) const;
  /// Calls visit(rank, its body in the slice) for those that have one.
  template <class Visit>
  void for_bodies(int sink, int round, const std::byte *slice, Visit &&visit) const {
    const CellRanges wanted = ranges(sink, round);
    const PointTable &points = *plan_.stages[static_cast<size_t>(stage_)].sources->points();
    for (const int rank : group_of(sink)) {
      const int64_t elements = wanted.elements(points.of(rank));
      if (elements > 0) visit(rank, slice);
      slice += elements * plan_.field.element_bytes;
    }
  }

 private:
  const std::vector<int> &group_of(int sink) const;  // ascending

  const Plan &plan_;
  const StageSchedule ranges_;
  const int stage_;
};

/// From primaries to writers. Data from a primary to another node are whole if the primary collects everything;
/// otherwise they are the parts of its ranks, one after the other, which the writer orders.
class ScatterSchedule final : public StageSchedule {
 public:
  ScatterSchedule(const Plan &plan, const std::byte *fill) : StageSchedule(plan, 1, fill), plan_(plan) {}

  int64_t bytes_of(int rank, int sink, int round) const override;
  void spread(const Part &part, const std::byte *message, std::byte *slice) const override;
  void gather(const Part &part, const std::byte *slice, std::byte *message) const override;

 private:
  template <class Visit>
  void for_ranks(int primary, Visit &&visit) const;

  const Plan &plan_;
};

/// The schedule of a stage of a plan of one field. `plan` must outlive it; `fill` as in StageSchedule.
std::unique_ptr<Schedule> schedule_of(const Plan &plan, int stage, const std::byte *fill);

}  // namespace sv
