// The data that a thread needs to order slices after the call that brought them: a schedule of one stage, with its
// plan. The writing behind calls and the servers keep one for each put whose slices are in parts.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "packing/point_schedules.hpp"

namespace sv {

class KeptSchedule {
 public:
  /// `fill`: one element in file order, for cells without an owner; empty: these are left unchanged.
  KeptSchedule(Plan plan, int stage, std::vector<std::byte> fill)
      : plan_(std::move(plan)),
        fill_(std::move(fill)),
        schedule_(schedule_of(plan_, stage, fill_.empty() ? nullptr : fill_.data())) {}
  KeptSchedule(const KeptSchedule &) = delete;
  const Schedule &schedule() const { return *schedule_; }

 private:
  const Plan plan_;
  const std::vector<std::byte> fill_;
  const std::unique_ptr<Schedule> schedule_;
};

}  // namespace sv
