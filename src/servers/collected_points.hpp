// A round of points that primaries among servers have collected, on its way to the workers (plan/gathering.hpp).
#pragma once

#include "packing/point_schedules.hpp"
#include "packing/source.hpp"

namespace sv {

/// Orders the points of this primary, one body for each client of its group. Other servers have none.
class CollectedPoints final : public Source {
 public:
  /// Round `round` of `gathering` as the slice of the primary `sink` (−1: none); `scattering`: the plan of that round.
  struct Slice {
    const Plan &gathering;
    int round, sink;
    const std::byte *values;
  };
  CollectedPoints(const Plan &scattering, const Slice &from) : plan_(scattering), from_(from) {}

  int64_t put(int sink, int round, Form form, std::byte *to) override;

 private:
  const Plan &plan_;
  const Slice from_;
  const CollectSchedule bodies_{from_.gathering, 0};
};

}  // namespace sv
