#include "packing/run_schedule.hpp"

#include <cstring>

namespace sv {

int64_t RunSchedule::bytes_of(int rank, int sink, int round) const {
  const std::vector<int64_t> &near = near_[static_cast<size_t>(rank)];
  if (!near.empty()) return near[static_cast<size_t>(sink * plan_.rounds() + round)];
  const RunsOfRank &far = far_[static_cast<size_t>(rank)];
  return far.bytes.empty() ? 0 : far.bytes[static_cast<size_t>(round)];
}

std::span<const SliceRun> RunSchedule::runs_of(const Part &part) const {
  const RunsOfRank &far = far_[static_cast<size_t>(part.rank)];
  if (far.bytes.empty()) return {};
  const auto round = static_cast<size_t>(part.round);
  return std::span(far.runs).subspan(far.first[round], far.first[round + 1] - far.first[round]);
}

void RunSchedule::spread(const Part &part, const std::byte *message, std::byte *slice) const {
  for (const SliceRun &run : runs_of(part)) {
    std::memcpy(slice + run.begin, message, run.bytes);
    message += run.bytes;
  }
}

void RunSchedule::gather(const Part &part, const std::byte *slice, std::byte *message) const {
  for (const SliceRun &run : runs_of(part)) {
    std::memcpy(message, slice + run.begin, run.bytes);
    message += run.bytes;
  }
}

}  // namespace sv
