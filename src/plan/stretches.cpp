#include "plan/stretches.hpp"

#include <algorithm>

namespace sv {

int first_of_run(const Box &box, const Index &shape) {
  int d = shape.n - 1;
  while (d > 0 && box.count[d] == shape[d]) --d;
  return d;
}

Box first_run(Box box, int first) {
  for (int d = 0; d < first; ++d) box.count[d] = 1;
  return box;
}

bool has_long_stretches(const Plan &plan, const Layout &layout) {
  const Field &field = plan.field;
  if (layout.points() != nullptr || field.shape.product() * field.element_bytes < long_stretch_bytes) return false;
  const PatchList patches = layout.patches();
  return !patches.empty() && std::all_of(patches.begin(), patches.end(), [&](const Patch &patch) {
    const Box box = plan.extend(patch.box);
    return first_run(box, first_of_run(box, field.shape)).elements() * field.element_bytes >= long_stretch_bytes;
  });
}

Facts with_plan(Facts facts, const Plan &plan, const Layout &layout) {
  facts.bytes = plan.field.shape.product() * plan.field.element_bytes;
  facts.stages = static_cast<int>(plan.stages.size());
  facts.rounds = plan.rounds;
  facts.in_set = plan.set;
  facts.own_route = plan.route.self;
  facts.points = layout.points() != nullptr;
  facts.one_block = !facts.points && layout.patches().size() == 1;
  return facts;
}

}  // namespace sv
