#include "plan/plan.hpp"

#include <algorithm>

namespace sv {

namespace {

std::vector<Sink> range_sinks(const Plan &plan, const ExtentMap &extents, int64_t stripe_bytes) {
  const Box whole = Box::whole(plan.field.shape);
  std::vector<Sink> sinks;
  const std::vector<int> &writers = plan.route.writers;
  for (const OwnedRange &range : ranges_of(plan.field, plan.route, extents, stripe_bytes))
    sinks.push_back({writers[range.writer], {whole, range.first, range.last}, 0});
  return sinks;
}

/// The part of a dimension of the field as a territory: a range of its order where the part is contiguous there.
Share part_of_field(const Plan &plan, int dim, const Part &part) {
  Box box = Box::whole(plan.field.shape);
  box.start[dim] = part.start;
  box.count[dim] = part.count;
  for (int d = 0; d < dim; ++d)
    if (plan.field.shape[d] > 1) return {box, 0, box.elements()};
  const Box whole = Box::whole(plan.field.shape);
  const int64_t row = whole.elements() / plan.field.shape[dim];
  return {whole, part.start * row, (part.start + part.count) * row};
}

/// The dimension that a partition divides; −1: ranges.
int divided_dimension(const Plan &plan, int grid_dims) {
  const int first = plan.field.first_axis, after = first + grid_dims;
  if (plan.route.partition == Partition::cells) return first;
  if (plan.route.partition == Partition::levels && first > 0) return 0;
  if (plan.route.partition == Partition::levels && after < plan.field.shape.n) return after;
  return -1;
}

std::vector<Sink> point_sinks(const Plan &plan, int grid_dims, const Conditions &conditions) {
  const int dim = divided_dimension(plan, grid_dims);
  if (dim < 0) return range_sinks(plan, conditions.extents, conditions.stripe_bytes);
  std::vector<Sink> sinks;
  const auto writers = std::ssize(plan.route.writers);
  for (int64_t w = 0; w < writers; ++w) {
    const Share part = part_of_field(plan, dim, part_of(plan.field.shape[dim], writers, w));
    if (part.elements() > 0) sinks.push_back({plan.route.writers[static_cast<size_t>(w)], part, 0});
  }
  return sinks;
}

/// The ranks, node after node, in as many groups as there are primaries, which are in the same order.
std::vector<std::vector<int>> groups_of_primaries(const Plan &plan, const Topology &topology) {
  std::vector<int> ranks;
  for (const std::vector<int> &here : topology.ranks_of) ranks.insert(ranks.end(), here.begin(), here.end());
  std::vector<std::vector<int>> groups;
  const auto n = std::ssize(plan.route.primaries);
  for (int64_t g = 0; g < n; ++g) {
    const Part part = part_of(std::ssize(ranks), n, g);
    groups.emplace_back(ranks.begin() + part.start, ranks.begin() + part.start + part.count);
    std::sort(groups.back().begin(), groups.back().end());
  }
  return groups;
}

/// For each primary and each sink of the next stage, what the former collects for the latter.
std::vector<Sink> primary_sinks(const Plan &plan, const std::vector<Sink> &next) {
  std::vector<Sink> sinks;
  for (const int primary : plan.route.primaries)
    for (size_t w = 0; w < next.size(); ++w) sinks.push_back({primary, next[w].territory, 0, static_cast<int>(w)});
  return sinks;
}

/// For each I/O domain and each sink of the next stage, what the former collects for the latter.
std::vector<Sink> collecting_sinks(const Plan &plan, const Layout &domains, const std::vector<Sink> &next) {
  std::vector<Sink> sinks;
  sinks.reserve(domains.patches().size() * next.size());
  for (const Patch &domain : domains.patches()) {
    const Box box = plan.extend(domain.box);
    for (size_t w = 0; w < next.size(); ++w) {
      const Share &to = next[w].territory;
      const Share part{box, count_before(box, to.box, to.first), count_before(box, to.box, to.last)};
      sinks.push_back({domain.rank, part, 0, static_cast<int>(w)});
    }
  }
  return sinks;
}

/// Whether the sinks are the blocks of the layout, each of the rank that owns it.
bool are_blocks(const Plan &plan, const Layout &layout, const std::vector<Sink> &sinks) {
  return std::equal(sinks.begin(), sinks.end(), layout.patches().begin(), layout.patches().end(),
                    [&](const Sink &sink, const Patch &patch) {
                      return sink.rank == patch.rank && sink.territory.box == plan.extend(patch.box);
                    });
}

}  // namespace

bool is_whole(const Field &field, const Route &route) {
  return field.shape.product() * field.element_bytes <= route.whole_bytes;
}

std::vector<OwnedRange> ranges_of(const Field &field, const Route &route, const ExtentMap &extents,
                                  int64_t stripe_bytes) {
  const int writers = is_whole(field, route) ? 1 : static_cast<int>(route.writers.size());
  return owner_ranges(field, extents, writers, stripe_bytes);
}

Plan make_plan(std::shared_ptr<const Layout> layout, const Field &field, const Route &route,
               const Conditions &conditions) {
  Plan plan{.field = field, .route = route, .stages = {}};
  const Topology &topology = conditions.topology;
  if (field.chunk.n > 0 && conditions.pieces.empty()) {
    plan.by_chunks = true;
    plan.stages.push_back({layout, {}});
    set_chunk_rounds(plan, conditions);
    return plan;
  }
  const bool collects = route.io_nx > 0 && conditions.pieces.empty();
  const std::shared_ptr<const Layout> &owners = collects ? route.domains : layout;
  if (!conditions.pieces.empty()) {
    std::vector<Sink> sinks;
    for (const Territory &piece : conditions.pieces)
      sinks.push_back({piece.rank, {piece.box, 0, piece.box.elements()}, 0});
    plan.set = true;
    plan.at_home = are_blocks(plan, *layout, sinks);
    plan.stages.push_back({layout, Sinks(std::move(sinks), topology)});
  } else if (layout->points() != nullptr) {
    std::vector<Sink> sinks;
    if (!route.self) sinks = point_sinks(plan, layout->shape().n, conditions);
    if (!route.primaries.empty()) {
      plan.groups = groups_of_primaries(plan, topology);
      plan.stages.push_back({layout, Sinks(primary_sinks(plan, sinks), topology)});
    }
    plan.stages.push_back({layout, Sinks(std::move(sinks), topology)});
  } else if (route.self) {
    plan.at_home = !collects;
    plan.stages.push_back({layout, Sinks::of_blocks(owners, field, topology)});
  } else {
    std::vector<Sink> sinks = range_sinks(plan, conditions.extents, conditions.stripe_bytes);
    if (collects) {
      plan.stages.push_back({layout, Sinks(collecting_sinks(plan, *owners, sinks), topology)});
    }
    plan.stages.push_back({owners, Sinks(std::move(sinks), topology)});
  }
  set_rounds(plan, conditions);
  return plan;
}

}  // namespace sv
