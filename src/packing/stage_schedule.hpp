// A stage of the plan of one field, as a transport sees it.
#pragma once

#include "packing/point_rows.hpp"
#include "packing/schedule.hpp"
#include "plan/plan.hpp"

namespace sv {

class StageSchedule : public Schedule {
 public:
  /// `plan` must outlive it. `fill`: one element in file order, for cells without an owner; nullptr if every cell has
  /// an owner or holes stay.
  StageSchedule(const Plan &plan, int stage, const std::byte *fill = nullptr)
      : plan_(plan), stage_(stage), fill_(fill) {}

  int rounds() const override { return plan_.rounds; }
  int sinks() const override { return static_cast<int>(stage().sinks.size()); }
  int rank_of(int sink) const override { return stage().sinks.rank(static_cast<size_t>(sink)); }
  std::vector<int> sinks_of_node(int node) const override { return stage().sinks.of_node(node); }
  bool is_at_home() const override { return plan_.at_home; }
  int64_t slice_begin(int sink, int round) const override {
    return plan_.slice_begin(stage_, sink, round) * plan_.field.element_bytes;
  }
  int64_t slice_bytes(int sink, int round) const override {
    return plan_.share(stage_, sink, round).elements() * plan_.field.element_bytes;
  }
  int64_t bytes_of(int rank, int sink, int round) const override;
  void spread(const Part &part, const std::byte *message, std::byte *slice) const override;
  void gather(const Part &part, const std::byte *slice, std::byte *message) const override;
  bool is_scattered() const override;
  bool fills() const override { return fill_ != nullptr; }
  void fill(int sink, int round, std::byte *slice) const override;

  /// For a layout of points: the cells that a sink receives in a round.
  CellRanges ranges(int sink, int round) const;

 private:
  const Stage &stage() const { return plan_.stages[static_cast<size_t>(stage_)]; }

  const Plan &plan_;
  int stage_;
  const std::byte *fill_;
};

}  // namespace sv
