#include "assemble/combined_schedule.hpp"

#include "assemble/memory_view.hpp"
#include "assemble/written_parts.hpp"
#include "base/fill.hpp"

namespace sv {

int64_t CombinedSchedule::bytes_of(int rank, int sink, int round) const {
  int64_t bytes = 0;
  for_claims({rank, sink, round}, [&](const Portion &portion, const Claim &claim) {
    bytes += elements_in(claim.box, plan_.share_of(portion)) * plan_.band_of(portion).element_bytes;
  });
  return bytes;
}

void CombinedSchedule::spread(const Part &part, const std::byte *message, std::byte *slice) const {
  for_claims(part, [&](const Portion &portion, const Claim &claim) {
    message = spread_rows(claim.box, plan_.share_of(portion), plan_.band_of(portion).element_bytes, message,
                          slice + portion.slice_bytes);
  });
}

void CombinedSchedule::gather(const Part &part, const std::byte *slice, std::byte *message) const {
  for_claims(part, [&](const Portion &portion, const Claim &claim) {
    message = gather_rows(claim.box, plan_.share_of(portion), plan_.band_of(portion).element_bytes,
                          slice + portion.slice_bytes, message);
  });
}

void CombinedSchedule::fill(int sink, int round, std::byte *slice) const {
  plan_.for_portions(sink, round, [&](const Portion &portion) {
    const Band &band = plan_.band_of(portion);
    if (!band.fill.empty())
      fill_elements(slice + portion.slice_bytes, portion.elements.last - portion.elements.first, band.fill.data(),
                    band.element_bytes);
  });
}

std::vector<SlabPart> parts_of(const CombinedPlan &plan, int stretch, int round, std::byte *slice) {
  std::vector<SlabPart> parts;
  bool ends_place = false;  // the part before ends where its place does
  plan.for_portions(stretch, round, [&](const Portion &portion) {
    const Band &band = plan.band_of(portion);
    const Place &place = plan.place_of(portion);
    const Share share = plan.share_of(portion);
    const auto add = [&](const Segment &segment) {
      const int64_t begin = portion.slice_bytes + (segment.first - share.first) * band.element_bytes;
      const bool touches = ends_place && place.touches && segment.first == place.elements.first;
      const int64_t bytes = (segment.last - segment.first) * band.element_bytes;
      const int64_t record = band.first_record + place.record;
      parts.push_back({{band.variable, record, share.box, segment.first, segment.last},
                       {slice + begin, static_cast<size_t>(bytes)},
                       touches});
      ends_place = segment.last == place.elements.last;
    };
    if (!band.fill.empty() || band.claims->cover_all()) return add(Segment{share.first, share.last});
    ends_place = ends_place && portion.elements.first == place.elements.first;
    for (const Segment &segment : covered_segments(band.claims->boxes(), share)) add(segment);
  });
  return parts;
}

}  // namespace sv
