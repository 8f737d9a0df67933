#include "plan/kept_plans.hpp"

#include <optional>
#include <utility>

namespace sv {

namespace {

/// Apart from their places in the file.
bool are_alike(const Field &one, const Field &other) {
  return one.shape == other.shape && one.first_axis == other.first_axis && one.element_bytes == other.element_bytes &&
         one.chunk == other.chunk && one.first_owner == other.first_owner;
}

/// The rank to whom all of a field belongs; -1: several have ranges of it.
int only_owner(const Field &field, const Route &route, const ExtentMap &extents, int64_t stripe_bytes) {
  const std::vector<OwnedRange> ranges = ranges_of(field, route, extents, stripe_bytes);
  return ranges.size() == 1 ? route.writers[static_cast<size_t>(ranges.front().writer)] : -1;
}

bool has_owners_by_place(const Plan &plan) {
  return !plan.by_chunks && !plan.route.self && plan.route.writers.size() > 1 && !is_whole(plan.field, plan.route);
}

/// Where several share the ranges of a field, or rounds end on its stripes, its place decides how.
bool depends_on_place(const Plan &plan) {
  if (plan.rounds > 1 || plan.stages.size() > 1 || plan.set) return true;
  return has_owners_by_place(plan) && plan.stages.front().sinks.size() > 1;
}

}  // namespace

std::shared_ptr<const Plan> KeptPlans::find(const Layout &layout, const Route &route, const Field &field,
                                            const ExtentMap &extents, int64_t stripe_bytes) const {
  std::optional<int> owner;
  for (const Kept &each : kept_) {
    if (each.layout.get() != &layout || each.route.get() != &route || !are_alike(each.plan->field, field)) continue;
    if (each.owner >= 0 && !owner) owner = only_owner(field, route, extents, stripe_bytes);
    if (each.owner < 0 || each.owner == *owner) return each.plan;
  }
  return nullptr;
}

void KeptPlans::keep(std::shared_ptr<const Layout> layout, std::shared_ptr<const Route> route,
                     std::shared_ptr<const Plan> plan) {
  if (depends_on_place(*plan)) return;
  const int owner = has_owners_by_place(*plan) && plan->rounds > 0 ? plan->stages.front().sinks.rank(0) : -1;
  kept_[next_] = {std::move(layout), std::move(route), std::move(plan), owner};
  next_ = (next_ + 1) % kept_.size();
}

}  // namespace sv
