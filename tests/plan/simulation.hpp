// A plan carried out in memory: for all ranks, one after the other.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <optional>

#include "plan/plan.hpp"
#include "prediction/traffic.hpp"
#include "random_case.hpp"

namespace sv::test {

constexpr int64_t nothing = -1, fill = -2;  // of a simulated file

/// What the ranks of a plan do, one after the other. A value of the field is its position in the field.
class Simulation {
 public:
  Simulation(const Case &c, const Plan &plan) : case_(c), plan_(plan), whole_(Box::whole(plan.field.shape)) {
    file_.assign(whole_.elements(), nothing);
    traffic_.resize(c.topology.ranks());
  }

  /// Called with the bytes that a writer writes, round by round.
  std::function<void(const Share &, const std::vector<int64_t> &)> on_write;

  void run() {
    for (int round = 0; round < plan_.rounds; ++round) {
      std::vector<std::vector<int64_t>> before;
      for (int stage = 0; stage < static_cast<int>(plan_.stages.size()); ++stage) {
        std::vector<std::vector<int64_t>> slices = empty_slices(stage, round);
        move(stage, round, before, slices);
        check_windows(stage, round, slices);
        before = std::move(slices);
      }
      write(round, before);
    }
  }

  void check_file() const {
    for (int64_t at = 0; at < whole_.elements(); ++at) {
      ASSERT_NE(file_[at], nothing) << "element " << at << " was not written\n" << case_.text;
      ASSERT_EQ(file_[at], is_owned(at) ? at : fill) << case_.text;
    }
  }

  void check_traffic() const {
    const std::vector<Traffic> all = traffic_of_all(plan_, case_.topology);
    ASSERT_EQ(all.size(), traffic_.size());
    for (int rank = 0; rank < case_.topology.ranks(); ++rank) {
      ASSERT_EQ(values_of(all[rank]), values_of(traffic_[rank])) << "rank " << rank << "\n" << case_.text;
      ASSERT_EQ(values_of(traffic_of(plan_, case_.topology, rank)), values_of(traffic_[rank])) << case_.text;
    }
  }

 private:
  static std::vector<int64_t> values_of(const Traffic &t) {
    return {t.placed_bytes,   t.messages_sent, t.sent_bytes, t.messages_received,
            t.received_bytes, t.written_bytes, t.writes};
  }

  std::vector<std::vector<int64_t>> empty_slices(int stage, int round) const {
    std::vector<std::vector<int64_t>> slices;
    for (int s = 0; s < static_cast<int>(plan_.stages[stage].sinks.size()); ++s) {
      slices.emplace_back(plan_.share(stage, s, round).elements(), fill);
    }
    return slices;
  }

  void move(int stage, int round, const std::vector<std::vector<int64_t>> &before,
            std::vector<std::vector<int64_t>> &slices) {
    const Stage &s = plan_.stages[stage];
    std::map<std::pair<int, int>, int64_t> messages;  // elements, by node and sink
    for (const Patch &patch : s.sources->patches()) {
      for (int sink = 0; sink < static_cast<int>(s.sinks.size()); ++sink) {
        const std::vector<int64_t> *from = stage == 0 ? nullptr : &before[plan_.collecting_sink(patch, sink)];
        const int64_t moved = place(plan_.extend(patch.box), plan_.share(stage, sink, round), from, slices[sink]);
        ASSERT_EQ(moved, plan_.elements(stage, patch.box, sink, round)) << case_.text;
        traffic_[patch.rank].placed_bytes += moved * plan_.field.element_bytes;
        const int node = case_.topology.node_of[patch.rank];
        if (node != case_.topology.node_of[s.sinks[sink].rank]) messages[{node, sink}] += moved;
      }
    }
    count_messages(s, messages);
  }

  /// The elements of `part` in `share`, from the field itself or from the slice collected for this share.
  int64_t place(const Box &part, const Share &share, const std::vector<int64_t> *from, std::vector<int64_t> &slice) {
    int64_t moved = 0;
    RowCursor cursor(intersect(part, share.box), share.box, share.first, share.last);
    for (Row row; cursor.next(row);) {
      for (int64_t i = 0; i < row.elements; ++i) {
        int64_t &to = slice.at(row.position - share.first + i);
        EXPECT_EQ(to, fill) << "an element arrives twice\n" << case_.text;
        to = from != nullptr ? from->at(moved) : position(whole_, row.start) + i;
        ++moved;
      }
    }
    if (from != nullptr) {
      EXPECT_EQ(moved, static_cast<int64_t>(from->size())) << case_.text;
    }
    return moved;
  }

  void count_messages(const Stage &stage, const std::map<std::pair<int, int>, int64_t> &messages) {
    std::map<int, int64_t> sent_by_node;
    for (const auto &[between, elements] : messages) {
      const auto &[node, sink] = between;
      const int64_t bytes = elements * plan_.field.element_bytes;
      sent_by_node[node] += bytes;
      if (bytes == 0) continue;
      Traffic &sender = traffic_[forwarder(case_.topology, node)], &receiver = traffic_[stage.sinks[sink].rank];
      ++sender.messages_sent;
      sender.sent_bytes += bytes;
      ++receiver.messages_received;
      receiver.received_bytes += bytes;
    }
    for (const auto &[node, bytes] : sent_by_node) {
      EXPECT_LE(bytes, case_.budget.outgoing) << "node " << node << " sends too much\n" << case_.text;
    }
  }

  void check_windows(int stage, int round, const std::vector<std::vector<int64_t>> &slices) const {
    const Stage &s = plan_.stages[stage];
    for (int node = 0; node < case_.topology.nodes(); ++node) {
      int64_t end = 0;
      for (const int sink : s.sinks.of_node(node)) {
        ASSERT_EQ(case_.topology.node_of[s.sinks[sink].rank], node);
        const int64_t begin = plan_.slice_begin(stage, sink, round);
        ASSERT_GE(begin, end) << "slices overlap\n" << case_.text;
        end = begin + static_cast<int64_t>(slices[sink].size());
      }
      ASSERT_LE(end * plan_.field.element_bytes, case_.budget.slices) << case_.text;
    }
  }

  void write(int round, const std::vector<std::vector<int64_t>> &slices) {
    const int stage = static_cast<int>(plan_.stages.size()) - 1;
    for (int sink = 0; sink < static_cast<int>(slices.size()); ++sink) {
      const Share share = plan_.share(stage, sink, round);
      Traffic &writer = traffic_[plan_.stages[stage].sinks[sink].rank];
      if (on_write && share.elements() > 0) on_write(share, slices[sink]);
      int64_t last = -2;
      for (int64_t i = 0; i < share.elements(); ++i) {
        const int64_t at = position(whole_, cell_at(share.box, share.first + i));
        ASSERT_EQ(file_[at], nothing) << "element " << at << " is written twice\n" << case_.text;
        file_[at] = slices[sink][i];
        // The values of a chunk are contiguous in the file, wherever they are in the field.
        writer.writes += (plan_.by_chunks ? i == 0 : at != last + 1) ? 1 : 0;
        last = at;
      }
      writer.written_bytes += share.elements() * plan_.field.element_bytes;
    }
  }

  bool is_owned(int64_t at) const {
    const Index cell = cell_at(whole_, at);
    const auto patches = case_.layout->patches();
    return std::any_of(patches.begin(), patches.end(), [&](const Patch &patch) {
      const Box box = plan_.extend(patch.box);
      return !intersect(box, {cell, Index(cell.n, 1)}).empty();
    });
  }

  const Case &case_;
  const Plan &plan_;
  Box whole_;
  std::vector<int64_t> file_;
  std::vector<Traffic> traffic_;
};

/// The plan of a case; nullopt where its route is refused or its budget is too small, as may happen with random ones.
inline std::optional<Plan> plan_of(const Case &c) {
  try {
    const Route route = resolve(c.request, *c.layout, c.topology, c.surroundings);
    return make_plan(c.layout, c.field, route,
                     {c.topology, ListedExtents(c.extents), c.surroundings.stripe_bytes, c.budget});
  } catch (const Error &error) {
    EXPECT_TRUE(error.status() == Status::limit) << error.what() << "\n" << c.text;
    return std::nullopt;
  }
}

}  // namespace sv::test
