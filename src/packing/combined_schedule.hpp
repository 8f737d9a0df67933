// A plan of many fields, as a transport sees it, and as a store does: slabs in the order of the file.
#pragma once

#include "packing/schedule.hpp"
#include "plan/combined.hpp"
#include "plan/slice_runs.hpp"
#include "store/store.hpp"

namespace sv {

class CombinedSchedule final : public Schedule {
 public:
  /// `plan` must outlive it.
  explicit CombinedSchedule(const CombinedPlan &plan) : plan_(plan) {}

  int rounds() const override { return plan_.rounds(); }
  int sinks() const override { return static_cast<int>(plan_.stretches().size()); }
  int rank_of(int sink) const override { return plan_.stretches()[static_cast<size_t>(sink)].rank; }
  std::vector<int> sinks_of_node(int node) const override { return plan_.stretches_of_node(node); }
  int64_t slice_begin(int sink, int) const override {
    return plan_.stretches()[static_cast<size_t>(sink)].window_bytes;
  }
  int64_t slice_bytes(int sink, int round) const override { return plan_.slice_bytes(sink, round); }
  int64_t depth() const override { return plan_.depth(); }
  int64_t bytes_of(int rank, int sink, int round) const override;
  void spread(const Part &part, const std::byte *message, std::byte *slice) const override;
  void gather(const Part &part, const std::byte *slice, std::byte *message) const override;
  bool fills() const override { return plan_.fills(); }
  void fill(int sink, int round, std::byte *slice) const override;

  /// Calls visit(portion, claim) for the claims of a rank that have something of a slice, in the order of messages.
  template <class Visit>
  void for_claims(const Part &part, Visit &&visit) const {
    plan_.for_portions(part.sink, part.round, [&](const Portion &portion) {
      for (const Claim &claim : plan_.band_of(portion).claims->of_rank(part.rank))
        if (claim.reach.first < portion.elements.last && claim.reach.last > portion.elements.first)
          visit(portion, claim);
    });
  }

 private:
  const CombinedPlan &plan_;
};

/// What is written from, or read into, the slice of a stretch in a round: whole portions, or what is claimed of them.
/// `slice`: its bytes; between portions that touch, padding, which is zeroed.
std::vector<SlabPart> parts_of(const CombinedPlan &plan, int stretch, int round, std::byte *slice);
/// What is claimed of a slice: ascending, apart. What lies less than `widest_gap` bytes between two is moved, too.
struct CoveredSlice {
  std::span<const SliceRun> runs;
  int64_t widest_gap;
};
/// The same where the claims of the plan do not tell what is claimed.
std::vector<SlabPart> parts_of(const CombinedPlan &plan, int stretch, int round, const CoveredSlice &covered,
                               std::byte *slice);
/// Puts the fill value into the portions that have one.
void fill_portions(const CombinedPlan &plan, int stretch, int round, std::byte *slice);

}  // namespace sv
