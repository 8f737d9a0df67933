#include "assemble/combined_parts.hpp"

#include <cstring>

#include "assemble/segments.hpp"

namespace sv {

std::vector<SlabPart> parts_of(const CombinedPlan &plan, int stretch, int round, std::byte *slice) {
  std::vector<SlabPart> parts;
  int64_t reached = -1;  // the end of the last place in the slice, where a part ends there
  plan.for_portions(stretch, round, [&](const Portion &portion) {
    const Band &band = plan.band_of(portion);
    const Place &place = plan.place_of(portion);
    const Share share = plan.share_of(portion);
    const auto add = [&](const Segment &segment) {
      const int64_t begin = portion.slice_bytes + (segment.first - share.first) * band.element_bytes;
      const bool touches = reached >= 0 && place.touches && segment.first == place.elements.first;
      if (touches) std::memset(slice + reached, 0, static_cast<size_t>(begin - reached));
      const int64_t bytes = (segment.last - segment.first) * band.element_bytes;
      const int64_t record = band.first_record + place.record;
      parts.push_back({{band.variable, record, share.box, segment.first, segment.last},
                       {slice + begin, static_cast<size_t>(bytes)},
                       touches});
      reached = segment.last == place.elements.last ? begin + bytes : -1;
    };
    if (!band.fill.empty() || band.claims->cover_all()) return add(Segment{share.first, share.last});
    reached = portion.elements.first == place.elements.first ? reached : -1;
    for (const Segment &segment : covered_segments(band.claims->boxes(), share)) add(segment);
  });
  return parts;
}

}  // namespace sv
