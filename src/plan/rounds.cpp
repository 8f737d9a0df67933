#include "plan/rounds.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "plan/flow.hpp"

namespace sv {

namespace {

constexpr int64_t page_bytes = 4096, slice_alignment_elements = 512;

int64_t round_up(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

/// The elements that sink `sink` takes in at most in one round of `round_elements`.
int64_t capacity(const Plan &plan, const Sink &sink, int64_t round_elements) {
  if (sink.feeds < 0) return std::min(sink.territory.elements(), round_elements);
  // A round of the next stage is a window of the whole field.
  return std::min(sink.territory.elements(),
                  most_in_window(sink.territory.box, Box::whole(plan.field.shape), round_elements));
}

/// What the ranks of a node own of `part` goes to `sinks` sinks elsewhere, in shares of `whole`'s order.
struct Demand {
  Box part, whole;
  int64_t sinks;
};

/// A stage on a node, as far as its budget depends on the size of the rounds.
struct Load {
  const Stage *stage;
  int node;
  std::vector<Demand> outgoing;
};

int64_t elements_out(const Load &load, int64_t round_elements) {
  int64_t total = 0;
  for (const Demand &demand : load.outgoing) {
    const int64_t each = most_in_window(demand.part, demand.whole, round_elements);
    total += std::min(demand.part.elements(), demand.sinks * each);
  }
  return total;
}

int64_t elements_in(const Plan &plan, const Load &load, int64_t round_elements, int64_t alignment) {
  int64_t total = 0;
  for (const int s : load.stage->sinks_of_node[load.node]) {
    total += round_up(capacity(plan, load.stage->sinks[s], round_elements), alignment);
  }
  return total;
}

/// Demands by sinks that divide the field into boxes; in a collecting stage each of them is `slices` sinks.
std::vector<Demand> box_demands(const Plan &plan, const Stage &stage, const Topology &topology, int node,
                                const std::vector<Box> &parts) {
  const bool collecting = stage.sinks.front().feeds >= 0;
  const size_t slices = collecting ? plan.stages.back().sinks.size() : 1;
  std::vector<Demand> demands;
  for (size_t s = 0; s < stage.sinks.size(); s += slices) {
    if (topology.node_of[stage.sinks[s].rank] == node) continue;
    const Box &box = stage.sinks[s].territory.box;
    for (const Box &part : parts) {
      const Box both = intersect(part, box);
      if (!both.empty()) {
        demands.push_back({both, collecting ? Box::whole(plan.field.shape) : box, static_cast<int64_t>(slices)});
      }
    }
  }
  return demands;
}

std::vector<Demand> demands_of(const Plan &plan, const Stage &stage, const Topology &topology, int node) {
  const std::vector<Box> parts = boxes_of(plan, stage, topology.ranks_of[node]);
  if (plan.route.self || stage.sinks.front().feeds >= 0) return box_demands(plan, stage, topology, node, parts);
  std::vector<Demand> demands;
  const auto remote = static_cast<int64_t>(stage.sinks.size() - stage.sinks_of_node[node].size());
  for (const Box &part : parts) demands.push_back({part, Box::whole(plan.field.shape), remote});
  return demands;
}

/// The loads that can bind: nodes with sinks, and nodes that own more than they may send in a round.
std::vector<Load> loads_of(const Plan &plan, const Topology &topology, const Budget &budget) {
  const int64_t inner = plan.extend({}).elements();
  std::vector<Load> loads;
  for (const Stage &stage : plan.stages) {
    if (stage.sinks.empty()) continue;
    const int64_t cells = std::max<int64_t>(1, stage.sources->cells());
    const bool stays = plan.route.self && plan.route.io_nx == 0;  // every block is written where it is
    for (int node = 0; node < topology.nodes(); ++node) {
      int64_t owned = 0;
      for (const int rank : topology.ranks_of[node]) owned += stage.sources->cells_of_rank(rank);
      const bool may_exceed = !stays && owned * (inner / cells) * plan.field.element_bytes > budget.outgoing;
      if (stage.sinks_of_node[node].empty() && !may_exceed) continue;
      loads.push_back({&stage, node, {}});
      if (may_exceed && topology.nodes() > 1) loads.back().outgoing = demands_of(plan, stage, topology, node);
    }
  }
  return loads;
}

struct Room {
  int64_t in, out;  // elements
};

bool fits(const Plan &plan, const std::vector<Load> &loads, const Room &room, int64_t round_elements,
          int64_t alignment) {
  return std::all_of(loads.begin(), loads.end(), [&](const Load &load) {
    return elements_in(plan, load, round_elements, alignment) <= room.in &&
           elements_out(load, round_elements) <= room.out;
  });
}

/// The largest round that fits, at most `most`; 0 where none does.
int64_t largest_round(const Plan &plan, const std::vector<Load> &loads, const Room &room, int64_t most,
                      int64_t alignment) {
  if (fits(plan, loads, room, most, alignment)) return most;
  int64_t good = 0, bad = most;
  while (bad - good > 1) {
    const int64_t middle = good + (bad - good) / 2;
    (fits(plan, loads, room, middle, alignment) ? good : bad) = middle;
  }
  return good;
}

/// The plan of a size: rounds end on stripes where they are that large, else on pages, so that no block of the file is
/// written twice; and, between nodes, writers begin at different levels' rows.
void set_size(Plan &plan, int64_t round_elements, int64_t stripe_bytes) {
  const Field &field = plan.field;
  std::vector<Sink> &sinks = plan.stages.back().sinks;
  const int64_t bytes = round_elements * field.element_bytes;
  const int64_t unit_bytes = bytes >= stripe_bytes ? stripe_bytes : bytes >= page_bytes ? page_bytes : 0;
  const int64_t unit = plan.route.self ? 0 : unit_bytes / field.element_bytes;
  const bool one_round = std::all_of(sinks.begin(), sinks.end(),
                                     [&](const Sink &sink) { return sink.territory.elements() <= round_elements; });
  const bool aligned = unit > 0 && !one_round;
  plan.round_elements = aligned ? round_elements - round_elements % unit : round_elements;
  plan.rounds = 0;
  for (Sink &sink : sinks) {
    const int64_t begin_bytes = field.offset_bytes + sink.territory.first * field.element_bytes;
    sink.phase_elements = aligned ? begin_bytes % unit_bytes / field.element_bytes : 0;
    plan.rounds = std::max(plan.rounds, static_cast<int>(chunks(plan, sink)));
  }
}

/// Staggers the writers: the i-th of n begins i/n of a level beyond where its neighbours' levels begin, as far as chunks allow.
void set_turns(Plan &plan) {
  std::vector<Sink> &sinks = plan.stages.back().sinks;
  int64_t level = 1;  // after so many elements the blocks come again
  for (int d = plan.field.first_axis; d < plan.field.shape.n; ++d) level *= plan.field.shape[d];
  const auto n = static_cast<int64_t>(sinks.size());
  for (int64_t i = 0; i < n; ++i) {
    const int64_t ahead = (i * level / n - sinks[i].territory.first % level + level) % level;
    sinks[i].turn = static_cast<int>(ahead / plan.round_elements % chunks(plan, sinks[i]));
  }
}

bool sends_fit(const Plan &plan, const std::vector<Load> &loads, const Topology &topology, int64_t room) {
  return std::all_of(loads.begin(), loads.end(), [&](const Load &load) {
    std::vector<int64_t> sent(plan.rounds, 0);
    std::vector<Box> parts;
    for (const Demand &demand : load.outgoing) parts.push_back(demand.part);
    for (const Sink &sink : load.stage->sinks) {
      if (parts.empty() || topology.node_of[sink.rank] == load.node) continue;
      for_each_flow(plan, sink, parts, [&](int round, int64_t elements) { sent[round] += elements; });
    }
    return *std::max_element(sent.begin(), sent.end()) <= room;
  });
}

/// The bound by which `sure` was found lets every writer want the same rows at once. Looks for a larger size, up to `most`,
/// by counting what every node sends in every round, as long as that is cheap beside moving the data.
void enlarge_rounds(Plan &plan, const std::vector<Load> &loads, const Topology &topology, int64_t sure, int64_t most) {
}

void set_windows(Plan &plan, int64_t alignment) {
  for (Stage &stage : plan.stages) {
    for (const std::vector<int> &sinks : stage.sinks_of_node) {
      int64_t used = 0;
      for (const int s : sinks) {
        stage.sinks[s].window_elements = used;
        used += round_up(capacity(plan, stage.sinks[s], plan.round_elements), alignment);
      }
    }
  }
}

}  // namespace

int64_t most_in_window(const Box &part, const Box &whole, int64_t length) {
  // A window of q slabs and a rest holds what q slabs of the part hold, and what the rest can hold of one: repeating
  // the slab, wherever the window begins, every position of a full period occurs once.
  int64_t slab = whole.elements(), in_slab = part.elements();
  if (in_slab == 0) return 0;
  int64_t most = 0, left = length;
  std::array<int64_t, max_dims> before{}, limit{};
  for (int d = 0; d < part.dims(); ++d) {
    limit[d] = in_slab;
    slab /= whole.count[d];
    in_slab /= part.count[d];
    before[d] = left / slab * in_slab;
    left %= slab;
  }
  if (part.dims() == 0) return std::min<int64_t>(1, length);
  for (int d = part.dims() - 1; d >= 0; --d) most = std::min(limit[d], before[d] + most);
  return most;
}

void set_rounds(Plan &plan, const Topology &topology, const Budget &budget, int64_t stripe_bytes) {
  const std::vector<Sink> &last = plan.stages.back().sinks;
  int64_t most = 0;
  for (const Sink &sink : last) most = std::max(most, sink.territory.elements());
  if (most == 0) return;
  const std::vector<Load> loads = loads_of(plan, topology, budget);
  const Room room{budget.slices / plan.field.element_bytes,
                  topology.nodes() > 1 ? budget.outgoing / plan.field.element_bytes : 0};
  int64_t alignment = slice_alignment_elements;
  plan.round_elements = largest_round(plan, loads, room, most, alignment);
  if (plan.round_elements == 0) {
    alignment = 1;
    plan.round_elements = largest_round(plan, loads, room, most, alignment);
  }
  if (plan.round_elements == 0) {
    throw Error(Status::limit,
                "the window of a node has no room for one element of each of its writers' slices (" +
                    std::to_string(budget.slices) + " bytes for slices, " + std::to_string(budget.outgoing) +
                    " for sending)",
                "Enlarge 'window', or ask for fewer writers or I/O domains");
  }
  if (plan.round_elements < most) align_rounds(plan, stripe_bytes);
  for (const Sink &sink : last) {
    const int64_t length = sink.territory.elements() + sink.phase_elements;
    plan.rounds = std::max(plan.rounds, static_cast<int>((length + plan.round_elements - 1) / plan.round_elements));
  }
  set_windows(plan, alignment);
}

}  // namespace sv
