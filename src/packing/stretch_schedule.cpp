#include "packing/stretch_schedule.hpp"

#include "base/fill.hpp"

namespace sv {

/// Puts the fill value into the portions that have one.
void StretchSchedule::fill(int sink, int round, std::byte *slice) const {
  plan_.for_portions(sink, round, [&](const Portion &portion) {
    const Band &band = plan_.band_of(portion);
    if (!band.fill.empty())
      fill_elements(slice + portion.slice_bytes, portion.elements.last - portion.elements.first, band.fill.data(),
                    band.element_bytes);
  });
}

}  // namespace sv
