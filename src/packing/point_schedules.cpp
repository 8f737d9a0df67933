#include "packing/point_schedules.hpp"

#include <algorithm>

namespace sv {

const std::vector<int> &CollectSchedule::group_of(int sink) const {
  if (plan_.gathers()) return plan_.groups[static_cast<size_t>(sink)];
  return plan_.groups[static_cast<size_t>(sink) / plan_.stages.back().sinks.size()];
}

int64_t CollectSchedule::slice_begin(int sink, int round) const {
  const Sinks &sinks = plan_.stages[static_cast<size_t>(stage_)].sinks;
  int64_t begin = sinks.window(static_cast<size_t>(sink)) * plan_.field.element_bytes;
  // The elements that a primary collects for the writers are contiguous, in their order.
  for (int s = sink - std::max(0, sinks.feeds(static_cast<size_t>(sink))); s < sink; ++s)
    for (const int rank : group_of(s)) begin += bytes_of(rank, s, round);
  return begin;
}

int64_t CollectSchedule::slice_bytes(int sink, int round) const {
  int64_t bytes = 0;
  for (const int rank : group_of(sink)) bytes += bytes_of(rank, sink, round);
  return bytes;
}

int64_t CollectSchedule::bytes_of(int rank, int sink, int round) const {
  const std::vector<int> &group = group_of(sink);
  if (!std::binary_search(group.begin(), group.end(), rank)) return 0;
  if (plan_.gathers()) {  // whole slabs
    const Layout &layout = *plan_.stages.front().sources;
    return plan_.share(stage_, sink, round).elements() / layout.cells() * layout.cells_of_rank(rank) *
           plan_.field.element_bytes;
  }
  return ranges_.bytes_of(rank, sink, round);
}

int64_t CollectSchedule::body_begin(const Part &part) const {
  int64_t begin = 0;
  for (const int rank : group_of(part.sink)) {
    if (rank == part.rank) break;
    begin += bytes_of(rank, part.sink, part.round);
  }
  return begin;
}

void CollectSchedule::spread(const Part &part, const std::byte *message, std::byte *slice) const {
  std::copy_n(message, bytes_of(part.rank, part.sink, part.round), slice + body_begin(part));
}

void CollectSchedule::gather(const Part &part, const std::byte *slice, std::byte *message) const {
  std::copy_n(slice + body_begin(part), bytes_of(part.rank, part.sink, part.round), message);
}

template <class Visit>
void ScatterSchedule::for_ranks(int primary, Visit &&visit) const {
  const std::vector<int> &primaries = plan_.route.primaries;
  const auto found = std::lower_bound(primaries.begin(), primaries.end(), primary);
  if (found == primaries.end() || *found != primary) return;
  for (const int rank : plan_.groups[static_cast<size_t>(found - primaries.begin())]) visit(rank);
}

int64_t ScatterSchedule::bytes_of(int rank, int sink, int round) const {
  if (plan_.collects_all())
    return rank == plan_.route.primaries.front() ? plan_.share(1, sink, round).elements() * plan_.field.element_bytes
                                                 : 0;
  int64_t bytes = 0;
  for_ranks(rank, [&](int each) { bytes += StageSchedule::bytes_of(each, sink, round); });
  return bytes;
}

void ScatterSchedule::spread(const Part &part, const std::byte *message, std::byte *slice) const {
  if (plan_.collects_all()) {
    std::copy_n(message, bytes_of(part.rank, part.sink, part.round), slice);
    return;
  }
  for_ranks(part.rank, [&](int rank) {
    StageSchedule::spread({rank, part.sink, part.round}, message, slice);
    message += StageSchedule::bytes_of(rank, part.sink, part.round);
  });
}

void ScatterSchedule::gather(const Part &part, const std::byte *slice, std::byte *message) const {
  if (plan_.collects_all()) {
    std::copy_n(slice, bytes_of(part.rank, part.sink, part.round), message);
    return;
  }
  for_ranks(part.rank, [&](int rank) {
    StageSchedule::gather({rank, part.sink, part.round}, slice, message);
    message += StageSchedule::bytes_of(rank, part.sink, part.round);
  });
}

std::unique_ptr<Schedule> schedule_of(const Plan &plan, int stage, const std::byte *fill) {
  const bool points = plan.stages.front().sources->points() != nullptr;
  if (points && stage == 0 && !plan.groups.empty()) return std::make_unique<CollectSchedule>(plan, stage);
  if (!plan.groups.empty()) return std::make_unique<ScatterSchedule>(plan, fill);
  return std::make_unique<StageSchedule>(plan, stage, fill);
}

}  // namespace sv
