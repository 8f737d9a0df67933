#include "plan/directory.hpp"

#include <algorithm>

namespace sv {

int keeper_of(int64_t cell, int64_t cells, int ranks) {
  const int64_t each = cells / ranks, longer = cells % ranks;  // the inverse of part_of
  const int64_t in_longer = longer * (each + 1);
  return static_cast<int>(cell < in_longer ? cell / (each + 1) : longer + (cell - in_longer) / each);
}

std::vector<Notice> notices_of(const PointRuns &points, int64_t cells, int ranks) {
  std::vector<Notice> notices;
  for (int64_t run = 0; run < points.runs();) {
    // Each part that a run crosses into gets the run.
    int64_t cell = points.place[static_cast<size_t>(run)];
    if (!notices.empty()) {
      const Part last = part_of(cells, ranks, notices.back().to);
      cell = std::max(cell, last.start + last.count);
    }
    const int keeper = keeper_of(cell, cells, ranks);
    const Part part = part_of(cells, ranks, keeper);
    notices.push_back({keeper, encoded_runs(points, part.start, part.start + part.count)});
    run = points.run_at(part.start + part.count);
  }
  return notices;
}

DirectoryPart::DirectoryPart(int64_t cells, int ranks, int index)
    : part_(part_of(cells, ranks, index)), owner_(static_cast<size_t>(part_.count), -1) {}

void DirectoryPart::enter(int rank, std::span<const std::byte> code) {
  for_encoded_runs(code, part_.start, [&](int64_t place, int64_t length) {
    int *const first = owner_.data() + (place - part_.start);
    for (int64_t i = 0; i < length; ++i) {
      if (first[i] >= 0 && !overlap_)
        overlap_ = "ranks " + std::to_string(std::min(first[i], rank)) + " and " +
                   std::to_string(std::max(first[i], rank)) + " both own the cell " + std::to_string(place + i);
      first[i] = rank;
    }
    owned_ += length;
  });
}

RunList DirectoryPart::holes() const {
  RunList holes;
  for (size_t i = 0; i < owner_.size();) {
    size_t end = i;
    while (end < owner_.size() && owner_[end] < 0) ++end;
    if (end > i) holes.push(part_.start + static_cast<int64_t>(i), static_cast<int64_t>(end - i));
    i = end + 1;
  }
  return holes;
}

}  // namespace sv
