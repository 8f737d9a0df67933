// How a plan by chunks fits the window: every owner has as many places for chunks as its node has room for, so that it
// has several to compress in a round; where there is no room for one, chunks come in parts.
#include <algorithm>
#include <vector>

#include "base/arithmetic.hpp"
#include "base/error.hpp"
#include "plan/chunk_grid.hpp"
#include "plan/loads.hpp"
#include "plan/plan.hpp"

namespace sv {

namespace {

constexpr int64_t place_alignment = 512;       // elements
constexpr int64_t most_chunk_counts = 400000;  // parts of chunks on nodes: about 10 ms

class ChunkSizing {
 public:
  ChunkSizing(Plan &plan, const Conditions &conditions)
      : plan_(plan),
        topology_(conditions.topology),
        grid_(plan.field),
        room_in_(conditions.budget.slices / plan.field.element_bytes),
        room_out_(conditions.budget.outgoing / plan.field.element_bytes),
        owners_(std::ssize(plan.route.writers)) {
    const Layout &sources = *plan.stages.front().sources;
    if (sources.points() != nullptr) plan.single_dims = grid_.single_dims_for_points(plan.field, sources.shape().n);
  }

  /// False where a place has no room for one element.
  bool find() {
    int64_t room = room_in_ / std::max(1, topology_.most_on_a_node(plan_.route.writers));  // of each owner
    if (room >= place_alignment) room -= room % place_alignment;
    const int64_t chunk = grid_.most_elements(), place = align_up(chunk, place_alignment);
    if (plan_.single_dims > 0) {
      const int64_t part = grid_.part_elements(plan_.single_dims);
      for (int64_t places = std::clamp<int64_t>(room / place, 1, chunks_of_owner()); part <= room && places > 0;
           places /= 2)
        if (take(places, part)) return true;
      return false;
    }
    for (int64_t places = std::min(room / place, chunks_of_owner()); places > 0; places /= 2)
      if (take(places, chunk)) return true;
    for (int64_t part = std::min(room, chunk); part > 0; part /= 2)
      if (take(1, part)) return true;
    return false;
  }

 private:
  int64_t chunks_of_owner() const { return (grid_.chunks() + owners_ - 1) / owners_; }
  bool take(int64_t places, int64_t part);
  void make_sinks(int64_t places, int64_t part);
  bool sends_fit();

  Plan &plan_;
  const Topology &topology_;
  const ChunkGrid grid_;
  const int64_t room_in_, room_out_, owners_;
};

/// Every owner with so many places for parts of so many elements; false where nodes would send more than they can.
bool ChunkSizing::take(int64_t places, int64_t part) {
  make_sinks(places, part);
  plan_.round_elements = part;
  plan_.parts = static_cast<int>((grid_.most_elements() + part - 1) / part);
  const auto sinks = std::ssize(plan_.stages.front().sinks);
  plan_.rounds = static_cast<int>((grid_.chunks() + sinks - 1) / sinks) * plan_.parts;
  return topology_.nodes() == 1 || sends_fit();
}

/// Sink s belongs to owner s modulo their number, beginning with that of chunk 0.
void ChunkSizing::make_sinks(int64_t places, int64_t part) {
  const Box whole = Box::whole(plan_.field.shape);
  const int64_t step = part >= place_alignment ? align_up(part, place_alignment) : part;
  const int64_t size = std::min(places * owners_, grid_.chunks());
  std::vector<Sink> sinks;
  sinks.reserve(static_cast<size_t>(size));
  std::vector<int64_t> ends(topology_.ranks_of.size(), 0);
  for (int64_t s = 0; s < size; ++s) {
    const int rank = plan_.route.writers[static_cast<size_t>(grid_.owner(s, static_cast<int>(owners_)))];
    const auto node = static_cast<size_t>(topology_.node_of[static_cast<size_t>(rank)]);
    sinks.push_back({rank, {whole, 0, whole.elements()}, ends[node]});
    ends[node] += step;
  }
  plan_.stages.front().sinks = Sinks(std::move(sinks), topology_);
}

/// Counted where that does not take long; otherwise as if all that is taken in elsewhere came from one node.
bool ChunkSizing::sends_fit() {
  const Stage &stage = plan_.stages.front();
  const auto sinks = std::ssize(stage.sinks);
  if (sinks * plan_.round_elements <= room_out_) return true;
  if (stage.sources->points() != nullptr) return false;
  for (size_t node = 0; node < topology_.ranks_of.size(); ++node) {
    const std::vector<Box> parts = boxes_of(plan_, stage, topology_.ranks_of[node]);
    if (std::ssize(parts) * sinks * plan_.rounds > most_chunk_counts) return false;
    for (int round = 0; round < plan_.rounds; ++round) {
      int64_t sent = 0;
      for (int s = 0; s < sinks; ++s) {
        if (topology_.node_of[static_cast<size_t>(stage.sinks.rank(static_cast<size_t>(s)))] == static_cast<int>(node))
          continue;
        const Share share = plan_.share(0, s, round);
        for (const Box &part : parts)
          if (meet(part, share.box)) sent += elements_in(intersect(part, share.box), share);
      }
      if (sent > room_out_) return false;
    }
  }
  return true;
}

}  // namespace

void set_chunk_rounds(Plan &plan, const Conditions &conditions) {
  if (Box::whole(plan.field.shape).empty()) return;
  if (ChunkSizing(plan, conditions).find()) return;
  throw no_room(conditions.budget, "of a chunk of each of its writers", "or ask for fewer writers");
}

}  // namespace sv
