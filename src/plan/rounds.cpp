#include "plan/plan.hpp"

#include <algorithm>
#include <utility>

#include "base/arithmetic.hpp"
#include "base/error.hpp"
#include "plan/loads.hpp"
#include "plan/round_counts.hpp"

namespace sv {

namespace {

constexpr int64_t least_unit_bytes = 4096, slice_alignment_elements = 512;

/// Points are scattered over a slice, which should stay in the cache while all ranks do so; but what a rank has of it
/// is scattered in its arrays, too, of which each slice then reads nearly all lines: not too small a part of a level.
/// (Measured: a third of the time in either case.)
constexpr int64_t least_scattered_bytes = 4 << 20, most_scattered_bytes = 16 << 20, slices_of_level = 3;

int64_t scattered_bytes(const Plan &plan) {
  const Field &field = plan.field;
  int64_t level = field.element_bytes;
  for (int d = field.first_axis; d < field.shape.n; ++d) level *= field.shape[d];
  return std::clamp(level / slices_of_level, least_scattered_bytes, most_scattered_bytes);
}

/// The most counts (of a part of a node in a chunk of a writer) worth making to try a size: about 10 ms.
constexpr int64_t most_counts = 400000;

/// The number of rounds in which a sink of the last stage takes something in.
int64_t chunks(const Plan &plan, int64_t elements, int64_t phase_elements) {
  return (elements + phase_elements + plan.round_elements - 1) / plan.round_elements;
}

/// Finds the size of the rounds of one plan.
class Sizing {
 public:
  Sizing(Plan &plan, const Conditions &conditions)
      : plan_(plan),
        topology_(conditions.topology),
        stripe_bytes_(conditions.stripe_bytes),
        room_in_(conditions.budget.slices / plan.field.element_bytes),
        room_out_(conditions.budget.outgoing / plan.field.element_bytes),
        loads_(loads_of(plan, conditions.topology, conditions.budget.outgoing)) {
    longest_ = plan.stages.back().sinks.most_elements();
    const bool scattered = plan.stages.front().sources->points() != nullptr;
    most_ = scattered ? std::min(longest_, scattered_bytes(plan) / plan.field.element_bytes) : longest_;
  }

  /// False when not even one element fits.
  bool find() {
    for (const int64_t alignment : {slice_alignment_elements, int64_t{1}}) {
      alignment_ = alignment;
      const int64_t sure = largest([this](const Load &load, int64_t size) {
        return fits_in(load, size) && elements_out(load, size) <= room_out_;
      });
      if (sure == 0) continue;
      enlarge(sure);
      set_windows();
      return true;
    }
    return false;
  }

 private:
  /// The largest size that every load fits; 0 where none does. fits(load, size) must fail for all sizes beyond some.
  template <class Fits>
  int64_t largest(const Fits &fits) const {
    // In no order: then only few of them (as the logarithm of their number) exceed the largest fitting number of all
    // those before.
    constexpr int64_t prime = 2147483647;
    const auto n = std::ssize(loads_);
    int64_t good = most_;
    for (int64_t i = 0; i < n && good > 0; ++i) {
      const Load &load = loads_[static_cast<size_t>(i * prime % n)];
      if (fits(load, good)) continue;
      int64_t bad = std::exchange(good, 0);
      while (bad - good > 1) {
        const int64_t middle = good + (bad - good) / 2;
        (fits(load, middle) ? good : bad) = middle;
      }
    }
    return good;
  }

  /// Whether the node has room for the slices of a load. Where there is room for as many of the longest, these are not
  /// looked at one by one: blocks that their owners write are as many as ranks.
  bool fits_in(const Load &load, int64_t size) const {
    const int64_t sinks = load.stage->sinks.most_of_node(load.node);
    if (load.stage == &plan_.stages.back() &&
        align_up(std::min(longest_, size), alignment_) <= room_in_ / std::max<int64_t>(1, sinks))
      return true;
    return elements_in(plan_, load, size, alignment_) <= room_in_;
  }
  void enlarge(int64_t sure);
  std::vector<CountedBox> counted_boxes() const;
  bool counts_fit();
  int64_t place_of(const Stage &stage, int sink) const;
  void set_size(int64_t size);
  void set_turns();
  void set_windows();

  Plan &plan_;
  const Topology &topology_;
  const int64_t stripe_bytes_, room_in_, room_out_;
  const std::vector<Load> loads_;
  int64_t longest_ = 0, most_ = 0, alignment_ = 1;
  std::vector<int64_t> counted_;  // of the sums of counted_boxes(), where the size was found by counting, not by bounds
};

/// The bounds behind `sure` let all writers want the same rows at once. Counting the sends and collections of every
/// node in every round often allows more, and costs little compared with moving that much data.
void Sizing::enlarge(int64_t sure) {
  if (sure == most_) return set_size(sure);
  if (plan_.stages.front().sources->points() != nullptr) return set_size(sure);  // counts would need all the points
  const int64_t most = largest(
      [this](const Load &load, int64_t size) { return load.stage != &plan_.stages.back() || fits_in(load, size); });
  if (most <= sure) return set_size(sure);
  RoundCounter counter(plan_, topology_, counted_boxes());
  for (int64_t size = most; size > sure; size -= size / 5 + 1) {
    set_size(size);
    auto counted = counter.most_in_rounds(most_counts);
    if (!counted) break;
    counted_ = std::move(*counted);
    if (counts_fit()) return;
  }
  counted_.clear();
  set_size(sure);
}

/// The sends of nodes, and the collections of I/O PEs. Sums number the loads, and then the I/O domains, whose places
/// hold the collections.
std::vector<CountedBox> Sizing::counted_boxes() const {
  std::vector<CountedBox> boxes;
  const bool whole = !plan_.route.self;
  for (size_t i = 0; i < loads_.size(); ++i) {
    const Load &load = loads_[i];
    const bool last = load.stage == &plan_.stages.back();
    for (const Demand &demand : load.outgoing)
      boxes.push_back({demand.part, static_cast<int>(i), whole && last ? load.node : -1});
  }
  if (plan_.stages.size() == 1) return boxes;
  const Sinks &sinks = plan_.stages.front().sinks;
  const size_t slices = plan_.stages.back().sinks.size();
  for (size_t s = 0; s < sinks.size(); s += slices)
    boxes.push_back({sinks[s].territory.box, static_cast<int>(loads_.size() + s / slices)});
  return boxes;
}

/// Whether the counts fit the sends of every node, and its places.
bool Sizing::counts_fit() {
  counted_.resize(loads_.size() + (plan_.stages.size() > 1 ? plan_.stages.front().sinks.size() : 0));
  for (size_t i = 0; i < loads_.size(); ++i) {
    const Load &load = loads_[i];
    if (counted_[i] > room_out_) return false;
    int64_t total = 0;
    for (const int s : load.stage->sinks.of_node(load.node))
      if (begins_place(load.stage->sinks.feeds(static_cast<size_t>(s))))
        total += align_up(place_of(*load.stage, s), alignment_);
    if (total > room_in_) return false;
  }
  return true;
}

/// The most elements, over the rounds, in the place that begins with this sink.
int64_t Sizing::place_of(const Stage &stage, int sink) const {
  if (stage.sinks.feeds(static_cast<size_t>(sink)) < 0 || counted_.empty())
    return place_elements(plan_, stage.sinks, sink, plan_.round_elements);
  return counted_[loads_.size() + static_cast<size_t>(sink) / plan_.stages.back().sinks.size()];
}

/// Rounds end on stripes where they are that large, else on pages, so that no block of the file is written twice.
void Sizing::set_size(int64_t size) {
  const Field &field = plan_.field;
  const int64_t bytes = size * field.element_bytes;
  const int64_t unit_bytes = bytes >= stripe_bytes_ ? stripe_bytes_ : bytes >= least_unit_bytes ? least_unit_bytes : 0;
  const int64_t unit = unit_bytes / field.element_bytes;
  const bool aligned = unit > 0 && size < longest_ && !plan_.route.self;
  plan_.round_elements = aligned ? size - size % unit : size;
  // The blocks of self-writers are not aligned, so that all have phase 0.
  plan_.rounds = static_cast<int>(chunks(plan_, longest_, 0));
  for (Sink &sink : plan_.stages.back().sinks.listed()) {
    const int64_t begin_bytes = field.offset_bytes + sink.territory.first * field.element_bytes;
    sink.phase_elements = aligned ? begin_bytes % unit_bytes / field.element_bytes : 0;
    plan_.rounds =
        std::max(plan_.rounds, static_cast<int>(chunks(plan_, sink.territory.elements(), sink.phase_elements)));
  }
  if (topology_.nodes() > 1 && !plan_.route.self) set_turns();
}

/// Writer i of n begins i/n of a level further into the level than writer 0, as far as whole chunks allow.
void Sizing::set_turns() {
  std::vector<Sink> &sinks = plan_.stages.back().sinks.listed();
  int64_t level = 1;  // after so many elements the blocks come again
  for (int d = plan_.field.first_axis; d < plan_.field.shape.n; ++d) level *= plan_.field.shape[d];
  const auto n = static_cast<int64_t>(sinks.size());
  for (int64_t i = 0; i < n; ++i) {
    const int64_t ahead = (i * level / n + level - sinks[i].territory.first % level) % level;
    sinks[i].turn = static_cast<int>(ahead / plan_.round_elements %
                                     chunks(plan_, sinks[i].territory.elements(), sinks[i].phase_elements));
  }
}

void Sizing::set_windows() {
  for (Stage &stage : plan_.stages) {
    Sinks &sinks = stage.sinks;
    if (sinks.are_blocks()) {
      sinks.set_places(plan_.round_elements, alignment_);
      continue;
    }
    for (int node = 0; node < topology_.nodes(); ++node) {
      int64_t place = 0, end = 0;
      for (const int s : sinks.of_node(node)) {
        Sink &sink = sinks.listed()[static_cast<size_t>(s)];
        if (begins_place(sink.feeds)) {
          place = end;
          end += align_up(place_of(stage, s), alignment_);
        }
        sink.window_elements = place;
      }
    }
  }
}

}  // namespace

Error no_room(const Budget &budget, const std::string &of_what, const std::string &otherwise) {
  return {Status::limit,
          "the window of a node has no room for one element " + of_what + " (" + std::to_string(budget.slices) +
              " bytes for slices, " + std::to_string(budget.outgoing) + " for sending)",
          "Enlarge 'transport.window', " + otherwise};
}

void set_rounds(Plan &plan, const Conditions &conditions) {
  if (plan.stages.back().sinks.empty()) return;
  if (Sizing(plan, conditions).find()) return;
  throw no_room(conditions.budget, "of each of its writers' slices", "or ask for fewer writers or I/O domains");
}

}  // namespace sv
