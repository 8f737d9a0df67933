// The window pool of a node: how its two halves are divided, and how far their counters have come.
#pragma once

#include <array>
#include <cstdint>

#include "plan/plan.hpp"
#include "transport/node.hpp"

namespace sv {

/// Stage `number` of `stages`.
struct StagePlace {
  int stages = 1, number = 0;
};

/// A half, divided among the stages of a plan; each stage's part has room for its sinks' slices and, between nodes, for
/// what the node sends and what its sinks receive in a round.
class Window {
 public:
  explicit Window(const Node &node) : node_(node) {}

  const Node &node() const { return node_; }
  /// What make_plan may use in a plan of `stages` stages. Equal on all ranks.
  Budget budget(int stages) const;

  /// How much of a half a plan of `stages` stages needs whose slices end before `slices_end`. Equal on all ranks.
  int64_t needed(int stages, int64_t slices_end) const;
  /// Whether so much of each half is there to be touched.
  bool has(int64_t bytes) const { return bytes <= made_bytes_; }
  /// Local, on all ranks alike: makes so much, and some more; returns how much. Throws Error(no_memory).
  int64_t make(int64_t bytes) const;
  /// Local: the ranks have agreed that so much is there.
  void take_into_use(int64_t bytes);

  std::byte *slices(const StagePlace &stage, int half) const;
  std::byte *outgoing(const StagePlace &stage, int half) const;
  std::byte *incoming(const StagePlace &stage, int half) const;

  HalfState &state(int stage, int half) const {
    return node_.control().halves[static_cast<size_t>(stage)][static_cast<size_t>(half)];
  }
  /// What the counters of `state` will have reached when all rounds begun so far are over. The same on all ranks of a
  /// node.
  struct Targets {
    uint32_t arrived = 0, freed = 0;
  };
  Targets &targets(int stage, int half) { return targets_[static_cast<size_t>(stage)][static_cast<size_t>(half)]; }

 private:
  int64_t part_bytes(int stages) const;

  const Node &node_;
  int64_t made_bytes_ = 0;  // of each half
  std::array<std::array<Targets, window_halves>, window_stages> targets_{};
};

}  // namespace sv
