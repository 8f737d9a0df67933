#include "plan/rounds.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "plan/flow.hpp"
#include "plan/loads.hpp"

namespace sv {

namespace {

constexpr int64_t page_bytes = 4096, slice_alignment_elements = 512;

/// The most counts (a part of a node in a chunk of a writer) worth making for a better size: about 10 ms.
constexpr int64_t most_counts = 200000;

/// The number of rounds in which a sink of the last stage takes something in.
int64_t chunks(const Plan &plan, const Sink &sink) {
  const int64_t length = sink.territory.elements() + sink.phase_elements;
  return (length + plan.round_elements - 1) / plan.round_elements;
}

/// Finds the size of the rounds of one plan.
class Sizing {
 public:
  Sizing(Plan &plan, const Topology &topology, const Budget &budget, int64_t stripe_bytes)
      : plan_(plan),
        topology_(topology),
        stripe_bytes_(stripe_bytes),
        room_in_(budget.slices / plan.field.element_bytes),
        room_out_(budget.outgoing / plan.field.element_bytes),
        loads_(loads_of(plan, topology, budget.outgoing)) {
    for (const Sink &sink : plan.stages.back().sinks) longest_ = std::max(longest_, sink.territory.elements());
  }

  /// False when not even one element fits.
  bool find() {
    for (const int64_t alignment : {slice_alignment_elements, int64_t{1}}) {
      alignment_ = alignment;
      const int64_t sure = largest([this](int64_t size) { return slices_fit(size) && sends_surely_fit(size); });
      if (sure == 0) continue;
      enlarge(sure);
      set_windows();
      return true;
    }
    return false;
  }

 private:
  template <class Fits>
  int64_t largest(const Fits &fits) const {
    if (fits(longest_)) return longest_;
    int64_t good = 0, bad = longest_;
    while (bad - good > 1) {
      const int64_t middle = good + (bad - good) / 2;
      (fits(middle) ? good : bad) = middle;
    }
    return good;
  }

  bool slices_fit(int64_t size) const {
    return std::all_of(loads_.begin(), loads_.end(),
                       [&](const Load &load) { return elements_in(plan_, load, size, alignment_) <= room_in_; });
  }

  bool sends_surely_fit(int64_t size) const {
    return std::all_of(loads_.begin(), loads_.end(),
                       [&](const Load &load) { return elements_out(load, size) <= room_out_; });
  }

  /// Whether the sends of every node fit in every round of the size that is set, by counting.
  bool sends_fit() const;
  bool counting_is_cheap() const;
  void enlarge(int64_t sure);
  void set_size(int64_t size);
  void set_turns();
  void set_windows();

  Plan &plan_;
  const Topology &topology_;
  const int64_t stripe_bytes_, room_in_, room_out_;
  const std::vector<Load> loads_;
  int64_t longest_ = 0, alignment_ = 1;
};

bool Sizing::sends_fit() const {
  return std::all_of(loads_.begin(), loads_.end(), [&](const Load &load) {
    std::vector<int64_t> sent(plan_.rounds, 0);
    std::vector<Box> parts;
    for (const Demand &demand : load.outgoing) parts.push_back(demand.part);
    for (const Sink &sink : load.stage->sinks) {
      if (parts.empty() || topology_.node_of[sink.rank] == load.node) continue;
      for_each_flow(plan_, sink, parts, [&](int round, int64_t elements) { sent[round] += elements; });
    }
    return *std::max_element(sent.begin(), sent.end()) <= room_out_;
  });
}

bool Sizing::counting_is_cheap() const {
  int64_t parts = 0, all_chunks = 0;
  for (const Load &load : loads_) parts += static_cast<int64_t>(load.outgoing.size());
  for (const Sink &sink : plan_.stages.back().sinks) all_chunks += chunks(plan_, sink);
  return parts * all_chunks <= most_counts;
}

/// The bound behind `sure` lets every writer want the same rows of a node at once. Counting what every node sends in
/// every round often allows more, and what it costs is little beside moving that much data.
void Sizing::enlarge(int64_t sure) {
  const bool ranges_only = !plan_.route.self && plan_.stages.size() == 1;
  if (ranges_only) {
    for (int64_t size = largest([this](int64_t s) { return slices_fit(s); }); size > sure; size -= size / 5 + 1) {
      set_size(size);
      if (!counting_is_cheap()) break;
      if (sends_fit()) return;
    }
  }
  set_size(sure);
}

/// Rounds end on stripes where they are that large, else on pages, so that no block of the file is written twice.
void Sizing::set_size(int64_t size) {
  const Field &field = plan_.field;
  const int64_t bytes = size * field.element_bytes;
  const int64_t unit_bytes = bytes >= stripe_bytes_ ? stripe_bytes_ : bytes >= page_bytes ? page_bytes : 0;
  const int64_t unit = unit_bytes / field.element_bytes;
  const bool aligned = unit > 0 && size < longest_ && !plan_.route.self;
  plan_.round_elements = aligned ? size - size % unit : size;
  plan_.rounds = 0;
  for (Sink &sink : plan_.stages.back().sinks) {
    const int64_t begin_bytes = field.offset_bytes + sink.territory.first * field.element_bytes;
    sink.phase_elements = aligned ? begin_bytes % unit_bytes / field.element_bytes : 0;
    plan_.rounds = std::max(plan_.rounds, static_cast<int>(chunks(plan_, sink)));
  }
  if (topology_.nodes() > 1 && !plan_.route.self) set_turns();
}

/// Writer i of n begins i/n of a level further into the level than writer 0, as far as whole chunks allow.
void Sizing::set_turns() {
  std::vector<Sink> &sinks = plan_.stages.back().sinks;
  int64_t level = 1;  // after so many elements the blocks come again
  for (int d = plan_.field.first_axis; d < plan_.field.shape.n; ++d) level *= plan_.field.shape[d];
  const auto n = static_cast<int64_t>(sinks.size());
  for (int64_t i = 0; i < n; ++i) {
    const int64_t ahead = (i * level / n + level - sinks[i].territory.first % level) % level;
    sinks[i].turn = static_cast<int>(ahead / plan_.round_elements % chunks(plan_, sinks[i]));
  }
}

void Sizing::set_windows() {
  for (Stage &stage : plan_.stages) {
    for (const std::vector<int> &sinks : stage.sinks_of_node) {
      int64_t used = 0;
      for (const int s : sinks) {
        stage.sinks[s].window_elements = used;
        used += (capacity(plan_, stage.sinks[s], plan_.round_elements) + alignment_ - 1) / alignment_ * alignment_;
      }
    }
  }
}

}  // namespace

void set_rounds(Plan &plan, const Topology &topology, const Budget &budget, int64_t stripe_bytes) {
  if (plan.stages.back().sinks.empty()) return;
  if (Sizing(plan, topology, budget, stripe_bytes).find()) return;
  throw Error(Status::limit,
              "the window of a node has no room for one element of each of its writers' slices (" +
                  std::to_string(budget.slices) + " bytes for slices, " + std::to_string(budget.outgoing) +
                  " for sending)",
              "Enlarge 'window', or ask for fewer writers or I/O domains");
}

}  // namespace sv
