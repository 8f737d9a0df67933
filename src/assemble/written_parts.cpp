#include "assemble/written_parts.hpp"

#include "assemble/memory_view.hpp"

namespace sv {

WrittenParts::WrittenParts(const Plan &plan, const Layout &layout, bool fills)
    : plan_(plan), has_holes_(layout.has_holes()), has_points_(layout.points() != nullptr), fills_(fills) {
  if (!has_holes_ || has_points_) return;
  if (fills)
    for (const Box &hole : layout.holes()) boxes_.push_back(plan.extend(hole));
  else
    for (const Patch &patch : layout.patches()) boxes_.push_back(plan.extend(patch.box));
}

std::vector<Segment> WrittenParts::of(const Share &share) const {
  if (share.elements() == 0) return {};
  if (!has_holes_ || fills_) return {{share.first, share.last}};
  return has_points_ ? owned_segments(plan_, share) : covered_segments(boxes_, share);
}

void WrittenParts::fill_holes(const Share &share, const std::byte *fill, std::byte *values) const {
  if (!has_holes_ || !fills_) return;
  const int64_t bytes = plan_.field.element_bytes;
  const auto holes = has_points_ ? hole_segments(plan_, share) : covered_segments(boxes_, share);
  for (const Segment &hole : holes)
    fill_elements(values + (hole.first - share.first) * bytes, hole.last - hole.first, fill, bytes);
}

}  // namespace sv
