#include "assemble/combined_schedule.hpp"

#include "assemble/memory_view.hpp"

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

}  // namespace sv
