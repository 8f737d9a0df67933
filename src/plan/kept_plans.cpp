#include "plan/kept_plans.hpp"

namespace sv {

namespace {

/// Apart from their places in the file.
bool are_alike(const Field &one, const Field &other) {
  return one.shape == other.shape && one.first_axis == other.first_axis && one.element_bytes == other.element_bytes &&
         one.chunk == other.chunk && one.first_owner == other.first_owner;
}

/// Where several share the ranges of a field, or rounds end on its stripes, its place decides how.
bool depends_on_place(const Plan &plan) {
  if (plan.rounds > 1 || plan.stages.size() > 1 || plan.set) return true;
  return !plan.by_chunks && !plan.route.self && plan.route.writers.size() > 1;
}

}  // namespace

std::shared_ptr<const Plan> KeptPlans::find(const Layout &layout, const Route &route, const Field &field) const {
  for (const Kept &each : kept_)
    if (each.layout.get() == &layout && each.route.get() == &route && are_alike(each.plan->field, field))
      return each.plan;
  return nullptr;
}

void KeptPlans::keep(std::shared_ptr<const Layout> layout, std::shared_ptr<const Route> route,
                     std::shared_ptr<const Plan> plan) {
  if (depends_on_place(*plan)) return;
  kept_[next_] = {std::move(layout), std::move(route), std::move(plan)};
  next_ = (next_ + 1) % kept_.size();
}

}  // namespace sv
