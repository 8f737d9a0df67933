#include "packing/combined_schedule.hpp"

#include <algorithm>

#include "packing/memory_view.hpp"
#include "packing/written_parts.hpp"

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

namespace {

/// Makes parts of the moved bytes of portions, which come in their order.
class PartList {
 public:
  PartList(const CombinedPlan &plan, std::byte *slice) : plan_(plan), slice_(slice) {}

  void begin(const Portion &portion) {
    portion_ = portion;
    ends_place_ = ends_place_ && portion.elements.first == plan_.place_of(portion).elements.first;
  }
  /// Elements of the field.
  void add(const Segment &segment) {
    const Band &band = plan_.band_of(portion_);
    const Place &place = plan_.place_of(portion_);
    const int64_t begin = portion_.slice_bytes + (segment.first - portion_.elements.first) * band.element_bytes;
    const int64_t bytes = (segment.last - segment.first) * band.element_bytes;
    parts_.push_back(
        {{band.variable, band.first_record + place.record, plan_.share_of(portion_).box, segment.first, segment.last},
         {slice_ + begin, static_cast<size_t>(bytes)},
         ends_place_ && place.touches && segment.first == place.elements.first});
    ends_place_ = segment.last == place.elements.last;
  }
  std::vector<SlabPart> take() { return std::move(parts_); }

 private:
  const CombinedPlan &plan_;
  std::byte *const slice_;
  Portion portion_{};
  bool ends_place_ = false;  // the part before ends where its place does
  std::vector<SlabPart> parts_;
};

}  // namespace

std::vector<SlabPart> parts_of(const CombinedPlan &plan, int stretch, int round, std::byte *slice) {
  PartList parts(plan, slice);
  plan.for_portions(stretch, round, [&](const Portion &portion) {
    const Band &band = plan.band_of(portion);
    const Share share = plan.share_of(portion);
    parts.begin(portion);
    if (!band.fill.empty() || band.claims->cover_all()) return parts.add(portion.elements);
    for (const Segment &segment : covered_segments(band.claims->boxes(), share)) parts.add(segment);
  });
  return parts.take();
}

std::vector<SlabPart> parts_of(const CombinedPlan &plan, int stretch, int round, const CoveredSlice &covered,
                               std::byte *slice) {
  PartList parts(plan, slice);
  auto run = covered.runs.begin();
  plan.for_portions(stretch, round, [&](const Portion &portion) {
    const Band &band = plan.band_of(portion);
    const auto element = [&](int64_t at) {
      return portion.elements.first + (at - portion.slice_bytes) / band.element_bytes;
    };
    const int64_t end = portion.slice_bytes + (portion.elements.last - portion.elements.first) * band.element_bytes;
    parts.begin(portion);
    if (!band.fill.empty()) return parts.add(portion.elements);
    while (run != covered.runs.end() && run->end() <= portion.slice_bytes) ++run;
    while (run != covered.runs.end() && run->begin < end) {
      const int64_t begin = std::max<int64_t>(run->begin, portion.slice_bytes);
      int64_t last = std::min<int64_t>(run->end(), end);
      for (; run + 1 != covered.runs.end() && run->end() < end && (run + 1)->begin < end &&
             (run + 1)->begin - run->end() < covered.widest_gap;
           ++run)
        last = std::min<int64_t>((run + 1)->end(), end);
      parts.add({element(begin), element(last)});
      if (run->end() >= end) break;  // it may have something of the next portion
      ++run;
    }
  });
  return parts.take();
}

}  // namespace sv
