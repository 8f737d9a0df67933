#include "plan/pieces.hpp"

#include <algorithm>
#include <map>

namespace sv {

namespace {

/// Along a dimension: the end of the cells that some piece covers, and the begin of the next ones; the grid's end after
/// the last.
std::map<int64_t, int64_t> gaps(const std::vector<Territory> &pieces, int d, int64_t length) {
  std::vector<std::pair<int64_t, int64_t>> spans;
  for (const Territory &piece : pieces) spans.emplace_back(piece.box.start[d], piece.box.start[d] + piece.box.count[d]);
  std::sort(spans.begin(), spans.end());
  std::map<int64_t, int64_t> found;
  int64_t end = spans.front().first;
  for (const auto &[first, last] : spans) {
    if (first > end) found[end] = first;
    end = std::max(end, last);
  }
  found[end] = length;
  return found;
}

void close_gaps(std::vector<Territory> &pieces, const Index &shape) {
  for (int d = 0; d < shape.n; ++d) {
    const std::map<int64_t, int64_t> next = gaps(pieces, d, shape[d]);
    int64_t first = shape[d];
    for (const Territory &piece : pieces) first = std::min(first, piece.box.start[d]);
    for (Territory &piece : pieces) {
      int64_t &start = piece.box.start[d], &count = piece.box.count[d];
      const auto gap = next.find(start + count);
      if (gap != next.end()) count = gap->second - start;
      if (start != first) continue;
      count += start;
      start = 0;
    }
  }
}

}  // namespace

std::vector<Territory> blocks_of(const Layout &layout, const Route &route) {
  std::vector<Territory> blocks;
  if (route.io_nx == 0)
    for (const Patch &patch : layout.patches()) blocks.push_back({patch.rank, patch.box});
  else
    for (const IoDomain &domain : io_domains(layout, route.io_nx, route.io_ny))
      blocks.push_back({domain.root, domain.box});
  return blocks;
}

std::vector<Territory> pieces_of(const Layout &layout, const Route &route) {
  std::vector<Territory> pieces;
  if (route.name == "per_pe" || route.name == "per_domain") pieces = blocks_of(layout, route);
  if (!pieces.empty()) close_gaps(pieces, layout.shape());
  return pieces;
}

}  // namespace sv
