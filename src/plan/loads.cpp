#include "plan/loads.hpp"

#include <algorithm>

#include "base/arithmetic.hpp"

namespace sv {

std::vector<Box> boxes_of(const Plan &plan, const Stage &stage, const std::vector<int> &ranks) {
  std::vector<Box> boxes;
  for (const int rank : ranks) {
    for (const Box &box : stage.sources->table().boxes_of_rank(rank)) append_joined(boxes, box);
  }
  boxes = merged(std::move(boxes));
  for (Box &box : boxes) box = plan.extend(box);
  return boxes;
}

void for_each_flow(const Plan &plan, const Sink &sink, const std::vector<Box> &parts,
                   const std::function<void(int round, int64_t elements)> &visit) {
  // Chunks are those of the writer: in a collecting stage, of the sink that this one feeds.
  const Sink writer = sink.feeds < 0 ? sink : plan.stages.back().sinks[sink.feeds];
  const Share &territory = writer.territory;
  std::vector<Box> inside;
  for (const Box &part : parts) {
    if (meet(part, sink.territory.box)) inside.push_back(intersect(part, sink.territory.box));
  }
  if (inside.empty()) return;
  const auto count = [&](int64_t limit) {
    const CellsBefore before(territory.box, limit);
    int64_t total = 0;
    for (const Box &part : inside) total += before.of(part);
    return total;
  };
  int64_t before = count(territory.first), end = territory.first - writer.phase_elements;
  const int64_t all = count(territory.last);
  for (int chunk = 0; before < all; ++chunk) {
    end += plan.round_elements;
    const int64_t now = end < territory.last ? count(end) : all;
    if (now > before) visit((chunk - writer.turn + plan.rounds) % plan.rounds, now - before);
    before = now;
  }
}

namespace {

/// Demands by sinks that divide the field into boxes; in a collecting stage each of these is `slices` sinks.
std::vector<Demand> box_demands(const Plan &plan, const Load &load, const Topology &topology,
                                const std::vector<Box> &parts) {
  const Sinks &sinks = load.stage->sinks;
  const bool collecting = sinks.front().feeds >= 0;
  const size_t slices = collecting ? plan.stages.back().sinks.size() : 1;
  std::vector<Demand> demands;
  for (size_t s = 0; s < sinks.size(); s += slices) {
    if (topology.node_of[sinks.rank(s)] == load.node) continue;
    for (const Box &part : parts) {
      if (!sinks.meets(s, part)) continue;
      const Box box = sinks[s].territory.box;
      demands.push_back(
          {intersect(part, box), collecting ? Box::whole(plan.field.shape) : box, static_cast<int64_t>(slices)});
    }
  }
  return demands;
}

std::vector<Demand> demands_of(const Plan &plan, const Load &load, const Topology &topology) {
  const Stage &stage = *load.stage;
  // Points may be anywhere: as if the node had all of them.
  const bool points = stage.sources->points() != nullptr;
  const std::vector<Box> parts =
      points ? std::vector<Box>{Box::whole(plan.field.shape)} : boxes_of(plan, stage, topology.ranks_of[load.node]);
  if (plan.route.self || (!points && stage.sinks.front().feeds >= 0)) return box_demands(plan, load, topology, parts);
  std::vector<Demand> demands;
  const int64_t elsewhere = static_cast<int64_t>(stage.sinks.size()) - std::ssize(stage.sinks.of_node(load.node));
  for (const Box &part : parts) demands.push_back({part, Box::whole(plan.field.shape), elsewhere});
  return demands;
}

}  // namespace

int64_t most_in_window(const Box &part, const Box &whole, int64_t length) {
  // A window of q slabs and a rest holds at most the load of q slabs of the part, plus the load of a window as long
  // as the rest when slabs repeat without end; that is the same question one dimension further on. No window shorter
  // than a period holds more than the period.
  int64_t slab = whole.elements(), in_slab = part.elements();
  if (in_slab == 0) return 0;
  if (part.dims() == 0) return std::min<int64_t>(1, length);
  Index in_period(part.dims(), 0), in_slabs(part.dims(), 0);
  for (int d = 0; d < part.dims(); ++d) {
    in_period[d] = in_slab;
    slab /= whole.count[d];
    in_slab /= part.count[d];
    in_slabs[d] = length / slab * in_slab;
    length %= slab;
  }
  int64_t most = 0;
  for (int d = part.dims() - 1; d >= 0; --d) most = std::min(in_period[d], in_slabs[d] + most);
  return most;
}

std::vector<Load> loads_of(const Plan &plan, const Topology &topology, int64_t outgoing_bytes) {
  const int64_t elements = plan.field.shape.product();
  std::vector<Load> loads;
  for (const Stage &stage : plan.stages) {
    if (stage.sinks.empty()) continue;
    const int64_t bytes_of_cell = elements / stage.sources->cells() * plan.field.element_bytes;
    for (int node = 0; node < topology.nodes(); ++node) {
      const auto bytes = [&] { return stage.sources->cells_of_ranks(topology.ranks_of[node]) * bytes_of_cell; };
      const bool sends = topology.nodes() > 1 && !plan.at_home && (plan.set || bytes() > outgoing_bytes);
      if (stage.sinks.most_of_node(node) == 0 && !sends) continue;
      loads.push_back({&stage, node, {}});
      if (sends) loads.back().outgoing = demands_of(plan, loads.back(), topology);
    }
  }
  return loads;
}

namespace {

/// At most all points of the group, and a round of every writer.
int64_t collected_points(const Plan &plan, const Sink &sink, int64_t round_elements) {
  const Layout &layout = *plan.stages.front().sources;
  const auto &primaries = plan.route.primaries;
  const auto g = std::find(primaries.begin(), primaries.end(), sink.rank) - primaries.begin();
  const int64_t points = layout.cells_of_ranks(plan.groups[static_cast<size_t>(g)]);
  int64_t windows = 0;
  for (const Sink &writer : plan.stages.back().sinks) windows += std::min(writer.territory.elements(), round_elements);
  return std::min(points * (plan.field.shape.product() / layout.cells()), windows);
}

}  // namespace

int64_t place_elements(const Plan &plan, const Sinks &sinks, int sink, int64_t round_elements) {
  const auto s = static_cast<size_t>(sink);
  if (sinks.feeds(s) < 0) return std::min(sinks.elements(s), round_elements);
  if (!plan.groups.empty()) return collected_points(plan, sinks[s], round_elements);
  // A round of the next stage is a window of the whole field for each of its sinks.
  const Box box = sinks[s].territory.box;
  const auto windows = static_cast<int64_t>(plan.stages.back().sinks.size());
  return std::min(box.elements(), windows * most_in_window(box, Box::whole(plan.field.shape), round_elements));
}

int64_t elements_in(const Plan &plan, const Load &load, int64_t round_elements, int64_t alignment) {
  int64_t total = 0;
  const Sinks &sinks = load.stage->sinks;
  for (const int s : sinks.of_node(load.node)) {
    if (begins_place(sinks.feeds(static_cast<size_t>(s))))
      total += align_up(place_elements(plan, sinks, s, round_elements), alignment);
  }
  return total;
}

int64_t elements_out(const Load &load, int64_t round_elements) {
  int64_t total = 0;
  for (const Demand &demand : load.outgoing) {
    const int64_t each = most_in_window(demand.part, demand.whole, round_elements);
    total += std::min(demand.part.elements(), demand.sinks * each);
  }
  return total;
}

}  // namespace sv
