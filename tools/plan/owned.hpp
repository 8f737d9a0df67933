// The cells that some ranks own as sources of a stage, and the amount of them for each sink and round: blocks or
// points.
#pragma once

#include <functional>
#include <vector>

#include "layout/points.hpp"
#include "plan/plan.hpp"

namespace sv_plan {

class Owned {
 public:
  /// `plan` must outlive it.
  Owned(const sv::Plan &plan, int stage, const std::vector<int> &ranks);

  /// Whether there may be something in a box of the field.
  bool meets(const sv::Box &box) const;
  /// Calls visit(round, elements) for every round in which this sink of the stage takes in some of it.
  void for_each_flow(int sink, const std::function<void(int round, int64_t elements)> &visit) const;

 private:
  const sv::Plan &plan_;
  const int stage_;
  std::vector<sv::Box> boxes_;
  sv::RunList points_;  // of all these ranks, joined
};

}  // namespace sv_plan
