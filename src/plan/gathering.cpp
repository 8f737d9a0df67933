#include "plan/gathering.hpp"

#include <algorithm>

#include "plan/plan.hpp"

namespace sv {

namespace {

std::vector<std::vector<int>> groups_of_owners(const Layout &layout, const Topology &topology, int64_t primaries) {
  std::vector<int> owners;
  for (const std::vector<int> &here : topology.ranks_of)
    std::copy_if(here.begin(), here.end(), std::back_inserter(owners),
                 [&](int rank) { return layout.cells_of_rank(rank) > 0; });
  std::vector<std::vector<int>> groups;
  for (int64_t g = 0; g < primaries; ++g) {
    const Part part = part_of(std::ssize(owners), primaries, g);
    groups.emplace_back(owners.begin() + part.start, owners.begin() + part.start + part.count);
    std::sort(groups.back().begin(), groups.back().end());
  }
  return groups;
}

}  // namespace

std::optional<Plan> gathering_plan(const std::shared_ptr<const Layout> &layout, const Field &field, const Route &route,
                                   const Topology &topology, const Budget &budget) {
  const Box whole = Box::whole(field.shape);
  if (whole.empty()) return std::nullopt;
  int64_t slabs = 1, most = 1, most_sent = 1;  // the latter in points
  for (int d = 0; d < field.first_axis; ++d) slabs *= field.shape[d];
  const int64_t slab = whole.elements() / slabs, point_bytes = slab / layout->cells() * field.element_bytes;
  Plan plan{.field = field, .route = route, .stages = {}};
  plan.groups = groups_of_owners(*layout, topology, std::ssize(route.primaries));
  for (const std::vector<int> &group : plan.groups) most = std::max(most, layout->cells_of_ranks(group));
  for (const std::vector<int> &here : topology.ranks_of) most_sent = std::max(most_sent, layout->cells_of_ranks(here));
  int64_t together = budget.slices / (most * point_bytes);
  if (topology.nodes() > 1) together = std::min(together, budget.outgoing / (most_sent * point_bytes));
  if (together == 0) return std::nullopt;
  together = std::min(together, slabs);
  plan.round_elements = together * slab;
  plan.rounds = static_cast<int>((slabs + together - 1) / together);
  std::vector<Sink> sinks;
  for (const int primary : route.primaries) sinks.push_back({primary, {whole, 0, whole.elements()}, 0});
  plan.stages.push_back({layout, Sinks(std::move(sinks), topology)});
  return plan;
}

int64_t gathered_bytes(const Plan &gathering, int sink, int round) {
  const Layout &layout = *gathering.stages.front().sources;
  const int64_t of_point = gathering.share(0, sink, round).elements() / layout.cells() * gathering.field.element_bytes;
  return layout.cells_of_ranks(gathering.groups[static_cast<size_t>(sink)]) * of_point;
}

Plan scattering_plan(const Plan &gathering, int round, const Route &route, const Conditions &conditions) {
  const Field &all = gathering.field;
  const std::shared_ptr<const Layout> &layout = gathering.stages.front().sources;
  const Share slabs = gathering.share(0, 0, round);
  Field field{{}, 0, all.element_bytes, all.offset_bytes + slabs.first * all.element_bytes};
  for (int d = all.first_axis; d < all.shape.n; ++d) field.shape.push(all.shape[d]);
  if (all.first_axis > 0) {
    Index shape(1, slabs.elements() / field.shape.product());
    for (int d = 0; d < field.shape.n; ++d) shape.push(field.shape[d]);
    field.shape = shape;
    field.first_axis = 1;
  }
  // Whose points come through a primary counts as its own.
  std::vector<int64_t> owned(static_cast<size_t>(conditions.topology.ranks()), 0);
  for (size_t g = 0; g < gathering.groups.size(); ++g)
    owned[static_cast<size_t>(route.primaries[g])] = layout->cells_of_ranks(gathering.groups[g]);
  const auto sources = std::make_shared<const Layout>(
      layout->shape(), owned, std::make_shared<PointTable>(conditions.topology.ranks()), layout->holes_declared());
  Route direct = route;
  direct.primaries.clear();
  Plan plan = make_plan(sources, field, direct, conditions);
  plan.route = route;
  plan.groups = gathering.groups;
  plan.stages.back().sources = layout;
  plan.stages.insert(plan.stages.begin(), Stage{layout, {}});
  return plan;
}

}  // namespace sv
