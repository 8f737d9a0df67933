// A plan of many fields, as a transport sees it.
#pragma once

#include "assemble/schedule.hpp"
#include "plan/combined.hpp"

namespace sv {

class CombinedSchedule final : public Schedule {
 public:
  /// `plan` must outlive it.
  explicit CombinedSchedule(const CombinedPlan &plan) : plan_(plan) {}

  int rounds() const override { return plan_.rounds(); }
  int sinks() const override { return static_cast<int>(plan_.stretches().size()); }
  int rank_of(int sink) const override { return plan_.stretches()[static_cast<size_t>(sink)].rank; }
  const std::vector<int> &sinks_of_node(int node) const override { return plan_.stretches_of_node(node); }
  int64_t slice_begin(int sink, int) const override {
    return plan_.stretches()[static_cast<size_t>(sink)].window_bytes;
  }
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

}  // namespace sv
