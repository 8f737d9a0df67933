#include "pieces.hpp"

#include <algorithm>
#include <map>

namespace sv_plan {

namespace {

/// Along dimension `d` of the field: where what some piece covers ends, and where what comes next begins; the field's
/// end after the last.
std::map<int64_t, int64_t> gaps(const std::vector<sv::Territory> &pieces, int d, int64_t length) {
  std::vector<std::pair<int64_t, int64_t>> spans;
  for (const sv::Territory &piece : pieces)
    spans.emplace_back(piece.box.start[d], piece.box.start[d] + piece.box.count[d]);
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

void close_gaps(std::vector<sv::Territory> &pieces, const sv::Index &shape) {
  for (int d = 0; d < shape.n; ++d) {
    const std::map<int64_t, int64_t> next = gaps(pieces, d + 1, shape[d]);
    int64_t first = shape[d];
    for (const sv::Territory &piece : pieces) first = std::min(first, piece.box.start[d + 1]);
    for (sv::Territory &piece : pieces) {
      int64_t &start = piece.box.start[d + 1], &count = piece.box.count[d + 1];
      const auto gap = next.find(start + count);
      if (gap != next.end()) count = gap->second - start;
      if (start != first) continue;
      count += start;
      start = 0;
    }
  }
}

}  // namespace

std::vector<sv::Territory> pieces_of(const sv::Layout &layout, const std::vector<sv::IoDomain> &domains,
                                     const sv::Route &route, int64_t levels) {
  std::vector<sv::Territory> pieces;
  const auto add = [&](int rank, const sv::Box &box) {
    pieces.push_back({rank, {{0, box.start[0], box.start[1]}, {levels, box.count[0], box.count[1]}}});
  };
  if (route.name == "per_pe")
    for (const sv::Patch &patch : layout.patches()) add(patch.rank, patch.box);
  if (route.name == "per_domain")
    for (const sv::IoDomain &domain : domains) add(domain.root, domain.box);
  if (!pieces.empty()) close_gaps(pieces, layout.shape());
  return pieces;
}

}  // namespace sv_plan
