#include "study.hpp"

#include <algorithm>

#include "messages.hpp"
#include "owned.hpp"
#include "plan/loads.hpp"

namespace sv_plan {

namespace {

constexpr size_t most_in_matrix = 65536;

int64_t greatest(const std::vector<int64_t> &values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

/// Adds up what nodes send to whom, stage by stage.
class Tally {
 public:
  Tally(const Scene &scene, Study &study) : plan_(scene.plan), topology_(scene.topology), study_(study) {}
  void add(int stage);

 private:
  void add_receivers(int stage);
  void add_node(int stage, int node, const Owned &owned);
  void add_home(int stage);
  int64_t slices(const sv::Stage &stage, int index, int node) const;
  int64_t bytes(int64_t elements) const { return elements * plan_.field.element_bytes; }

  const sv::Plan &plan_;
  const sv::Topology &topology_;
  Study &study_;
  std::vector<size_t> receiver_;  // by sink of the stage
  size_t first_receiver_ = 0;
};

void Tally::add_receivers(int stage) {
  const sv::Sinks &sinks = plan_.stages[static_cast<size_t>(stage)].sinks;
  first_receiver_ = study_.receivers.size();
  std::vector<int> ranks;
  for (const sv::Sink &sink : sinks) ranks.push_back(sink.rank);
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  for (const int rank : ranks) study_.receivers.push_back({stage, rank});
  receiver_.clear();
  for (const sv::Sink &sink : sinks) {
    const auto at = std::lower_bound(ranks.begin(), ranks.end(), sink.rank) - ranks.begin();
    receiver_.push_back(first_receiver_ + static_cast<size_t>(at));
  }
  const size_t nodes = static_cast<size_t>(topology_.nodes());
  const bool small = !plan_.at_home && nodes * study_.receivers.size() <= most_in_matrix;
  study_.matrix.resize(small ? study_.receivers.size() : 0, std::vector<int64_t>(nodes, 0));
}

/// The most bytes that the slices of a node take of a half of its window in any round.
int64_t Tally::slices(const sv::Stage &stage, int index, int node) const {
  const std::vector<int> here = stage.sinks.of_node(node);
  int64_t most = 0;
  for (int round = 0; round < plan_.rounds; ++round) {
    int64_t end = 0;
    for (const int s : here) {
      const auto sink = static_cast<size_t>(s);
      if (sv::begins_place(stage.sinks.feeds(sink))) end = stage.sinks.window(sink);
      end += plan_.share(index, s, round).elements();
      most = std::max(most, end);
    }
  }
  return bytes(most);
}

void Tally::add_node(int index, int node, const Owned &owned) {
  const sv::Stage &stage = plan_.stages[static_cast<size_t>(index)];
  const Owned parts(plan_, index, topology_.ranks_of[static_cast<size_t>(node)]);
  NodeLoad &load = study_.nodes[static_cast<size_t>(node)];
  const auto rounds = static_cast<size_t>(plan_.rounds);
  std::vector<int64_t> out(rounds, 0), in(rounds, 0);
  bool meets = false;  // whether this place has cells of the node
  for (size_t s = 0; s < stage.sinks.size(); ++s) {
    const sv::Sink &sink = stage.sinks[s];
    if (sv::begins_place(sink.feeds)) meets = parts.meets(sink.territory.box);
    const bool here = topology_.node_of[static_cast<size_t>(sink.rank)] == node;
    if (here) {
      owned.for_each_flow(static_cast<int>(s), [&](int round, int64_t elements) { in[round] += bytes(elements); });
    }
    if (!meets) continue;
    Receiver &receiver = study_.receivers[receiver_[s]];
    int64_t sum = 0, flows = 0;
    parts.for_each_flow(static_cast<int>(s), [&](int round, int64_t elements) {
      sum += bytes(elements);
      ++flows;
      (here ? in : out)[round] += here ? -bytes(elements) : bytes(elements);
    });
    receiver.bytes += sum;
    if (here) receiver.own_node_bytes += sum;
    if (!here) receiver.messages += flows;
    if (!here && stage.sources->points() != nullptr) {  // of blocks, traffic_of_all has counted them
      sv::Traffic &from = study_.by_rank[static_cast<size_t>(sv::forwarder(topology_, node))];
      sv::Traffic &to = study_.by_rank[static_cast<size_t>(sink.rank)];
      from.messages_sent += flows;
      from.sent_bytes += sum;
      to.messages_received += flows;
      to.received_bytes += sum;
    }
    if (!study_.matrix.empty()) study_.matrix[receiver_[s]][static_cast<size_t>(node)] += sum;
  }
  const int64_t halves = std::min(plan_.rounds, 2);
  load.peak_bytes += halves * (slices(stage, index, node) + greatest(out) + greatest(in));
}

/// Every block is written by its owner.
void Tally::add_home(int index) {
  const sv::Stage &stage = plan_.stages[static_cast<size_t>(index)];
  for (const sv::Patch &patch : stage.sources->patches()) {
    const auto at = std::lower_bound(study_.receivers.begin(), study_.receivers.end(), patch.rank,
                                     [](const Receiver &receiver, int rank) { return receiver.rank < rank; });
    at->bytes += bytes(plan_.extend(patch.box).elements());
    at->own_node_bytes = at->bytes;
  }
  for (int node = 0; node < topology_.nodes(); ++node) {
    study_.nodes[static_cast<size_t>(node)].peak_bytes = std::min(plan_.rounds, 2) * slices(stage, index, node);
  }
}

void Tally::add(int index) {
  add_receivers(index);
  if (plan_.at_home) return add_home(index);
  std::vector<int> all(static_cast<size_t>(topology_.ranks()));
  for (size_t rank = 0; rank < all.size(); ++rank) all[rank] = static_cast<int>(rank);
  const Owned owned(plan_, index, all);
  for (int node = 0; node < topology_.nodes(); ++node) add_node(index, node, owned);
}

void add_single_messages(const Scene &scene, Study &study) {
  if (scene.plan.at_home || scene.has_points()) return;
  const Messages messages(scene);
  for (int stage = 0; stage < static_cast<int>(scene.plan.stages.size()); ++stage) {
    for (const sv::Patch &patch : scene.plan.stages[static_cast<size_t>(stage)].sources->patches()) {
      messages.of(stage, patch, [&](int to, int64_t) {
        if (to != patch.rank) ++(scene.topology.same_node(to, patch.rank) ? study.copies : study.messages_before);
      });
    }
  }
}

/// Marks the stripes that a writer touches; each writer's boxes follow one another.
struct Marks {
  std::vector<int> writers, last;
  void mark(int64_t stripe, int rank) {
    if (stripe >= static_cast<int64_t>(writers.size()) || last[static_cast<size_t>(stripe)] == rank) return;
    last[static_cast<size_t>(stripe)] = rank;
    ++writers[static_cast<size_t>(stripe)];
  }
};

Stripes stripes_of(const Scene &scene) {
  constexpr int64_t most_examined = 1 << 22;
  const sv::Plan &plan = scene.plan;
  const sv::Field &field = plan.field;
  const int64_t unit = scene.options.stripe_bytes, first = field.offset_bytes / unit;
  const auto stripe_of = [&](int64_t byte) { return (field.offset_bytes + byte) / unit - first; };
  Stripes stripes;
  stripes.all = stripe_of(scene.field_bytes() - 1) + 1;
  stripes.examined = std::min(stripes.all, most_examined);
  Marks marks{std::vector<int>(static_cast<size_t>(stripes.examined), 0),
              std::vector<int>(static_cast<size_t>(stripes.examined), -1)};
  std::vector<sv::Sink> sinks = plan.stages.back().sinks.all();
  std::stable_sort(sinks.begin(), sinks.end(), [](const sv::Sink &a, const sv::Sink &b) { return a.rank < b.rank; });
  const sv::Box whole = sv::Box::whole(field.shape);
  const int64_t last = std::min(whole.elements(), (stripes.examined + 1) * unit / field.element_bytes + 1);
  for (const sv::Sink &sink : sinks) {
    const auto mark = [&](int64_t begin, int64_t end) {
      for (int64_t stripe = stripe_of(begin * field.element_bytes);
           stripe <= stripe_of(end * field.element_bytes - 1) && stripe < stripes.examined; ++stripe)
        marks.mark(stripe, sink.rank);
    };
    if (scene.has_ranges()) {
      mark(sink.territory.first, sink.territory.last);
      continue;
    }
    sv::RowCursor cursor(sink.territory.box, whole, 0, last);
    for (sv::Row row; cursor.next(row);) mark(row.position, row.position + row.elements);
  }
  int64_t sum = 0;
  for (const int writers : marks.writers) {
    sum += writers;
    stripes.shared += writers > 1;
    stripes.most = std::max(stripes.most, writers);
  }
  stripes.mean = static_cast<double>(sum) / static_cast<double>(stripes.examined);
  return stripes;
}

}  // namespace

int64_t Study::peak_bytes() const { return nodes[static_cast<size_t>(peak_node())].peak_bytes; }

int64_t Study::most_received() const {
  int64_t most = 0;
  for (const Receiver &receiver : receivers) most = std::max(most, receiver.bytes);
  return most;
}

int Study::peak_node() const {
  const auto at = std::max_element(nodes.begin(), nodes.end(),
                                   [](const NodeLoad &a, const NodeLoad &b) { return a.peak_bytes < b.peak_bytes; });
  return static_cast<int>(at - nodes.begin());
}

int Study::writers() const {
  return static_cast<int>(
      std::count_if(by_rank.begin(), by_rank.end(), [](const sv::Traffic &traffic) { return traffic.writes > 0; }));
}

Study study_of(const Scene &scene) {
  Study study;
  study.by_rank = sv::traffic_of_all(scene.plan, scene.topology);
  study.nodes.resize(static_cast<size_t>(scene.topology.nodes()));
  const sv::Layout &layout = *scene.layout;
  for (int rank = 0; scene.has_points() && rank < layout.ranks(); ++rank)
    study.by_rank[static_cast<size_t>(rank)].placed_bytes =
        scene.field_bytes() / layout.cells() * layout.cells_of_rank(rank);
  Tally tally(scene, study);
  for (int stage = 0; stage < static_cast<int>(scene.plan.stages.size()); ++stage) tally.add(stage);
  for (size_t rank = 0; rank < study.by_rank.size(); ++rank) {
    const sv::Traffic &traffic = study.by_rank[rank];
    study.total.placed_bytes += traffic.placed_bytes;
    study.total.messages_sent += traffic.messages_sent;
    study.total.sent_bytes += traffic.sent_bytes;
    study.total.messages_received += traffic.messages_received;
    study.total.received_bytes += traffic.received_bytes;
    study.total.written_bytes += traffic.written_bytes;
    study.total.writes += traffic.writes;
    NodeLoad &node = study.nodes[static_cast<size_t>(scene.topology.node_of[rank])];
    node.sent_bytes += traffic.sent_bytes;
    node.messages += traffic.messages_sent;
    node.received_bytes += traffic.received_bytes;
  }
  add_single_messages(scene, study);
  if (!scene.own_files()) study.stripes = stripes_of(scene);
  if (scene.has_points()) study.points = memory_of_points(scene.plan, scene.topology);
  study.pool_bytes = (scene.options.window_bytes + 4095) / 4096 * 4096;
  return study;
}

}  // namespace sv_plan
