// A round of points that primaries among servers have collected, on its way to the workers (plan/gathering.hpp).
#pragma once

#include <functional>

#include "assemble/point_schedules.hpp"
#include "transport/exchange.hpp"
#include "transport/window.hpp"

namespace sv {

/// What this primary has, one body for each client of its group, is put in order. Others have nothing.
class CollectedPoints final : public Source {
 public:
  /// Round `round` of `gathering` as the slice of the primary `sink` (−1: none); `scattering`: the plan of that round.
  struct Slice {
    const Plan &gathering;
    int round, sink;
    const std::byte *values;
  };
  CollectedPoints(const Plan &scattering, const Slice &from) : plan_(scattering), from_(from) {}

  int64_t place(int sink, int round, std::byte *slice) override;
  int64_t write_message(int sink, int round, std::byte *message) override;

 private:
  template <class Visit>
  void for_parts(int sink, int round, Visit &&visit) const;

  const Plan &plan_;
  const Slice from_;
  const CollectSchedule bodies_{from_.gathering, 0};
};

/// What is done with the slices of this rank in a round; `release` is to be called when they are used no more, and
/// their place is taken by later rounds then.
struct Scattering {
  const Plan &plan;  // of plan/gathering.hpp
  const std::byte *fill;
  Source &source;
  std::function<void(const Exchange &exchange, int round)> write;
  std::function<void()> await_written;  // of the round before
  std::function<void()> sent;           // the source is not asked any more
};
/// Collective over the servers of a group: carries out all rounds of such a plan.
void scatter(const Scattering &scattering, Window &window, Transfers &transfers);

}  // namespace sv
