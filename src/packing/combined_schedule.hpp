// A plan of many fields, as a transport sees it, and as a store does: slabs in the order of the file.
#pragma once

#include "packing/stretch_schedule.hpp"
#include "plan/slice_runs.hpp"
#include "store/slab.hpp"

namespace sv {

class CombinedSchedule final : public StretchSchedule {
 public:
  using StretchSchedule::StretchSchedule;

  int64_t bytes_of(int rank, int sink, int round) const override;
  void spread(const Part &part, const std::byte *message, std::byte *slice) const override;
  void gather(const Part &part, const std::byte *slice, std::byte *message) const override;

  /// Calls visit(portion, claim) for the claims of a rank that have something of a slice, in the order of messages.
  template <class Visit>
  void for_claims(const Part &part, Visit &&visit) const {
    plan_.for_portions(part.sink, part.round, [&](const Portion &portion) {
      for (const Claim &claim : plan_.band_of(portion).claims->of_rank(part.rank))
        if (claim.reach.first < portion.elements.last && claim.reach.last > portion.elements.first)
          visit(portion, claim);
    });
  }
};

/// The parts of a stretch's slice that are written or read in a round: whole portions, or their claimed parts. `slice`:
/// its bytes; between portions that touch, padding, which is zeroed.
std::vector<SlabPart> parts_of(const CombinedPlan &plan, int stretch, int round, std::byte *slice);
/// The claimed parts of a slice: ascending, disjoint. Gaps of less than `widest_gap` bytes are moved, too.
struct CoveredSlice {
  std::span<const SliceRun> runs;
  int64_t widest_gap;
};
/// The same if the claims of the plan do not contain the claimed parts.
std::vector<SlabPart> parts_of(const CombinedPlan &plan, int stretch, int round, const CoveredSlice &covered,
                               std::byte *slice);

}  // namespace sv
