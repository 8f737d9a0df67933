// The window pool of a node: the division of its two halves, the part of them that has pages, and the values of their
// counters. The rounds of each call divide it anew, by their needs, so that a small call touches few pages.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "plan/plan.hpp"
#include "transport/node.hpp"

namespace sv {

/// The need of a stage in a half of any node's window, in bytes.
struct StageNeed {
  int64_t slices = 0;    // for the slices of its sinks
  int64_t outgoing = 0;  // for the data that a node sends in a round; 0 on one node
  int64_t incoming = 0;  // for the data that its sinks receive in a round; 0 on one node
};

/// Stage `number` of a plan, and where its areas begin in a half.
struct StagePlace {
  int number = 0;
  int64_t slices = 0, outgoing = 0, incoming = 0;
};

/// A half, divided among the stages of a plan.
struct Areas {
  std::vector<StagePlace> stages;
  int64_t bytes = 0;
};

/// All areas begin on a page.
Areas divide(std::span<const StageNeed> needs);

class Window {
 public:
  explicit Window(const Node &node) : node_(node) {}

  const Node &node() const { return node_; }
  /// The budget for make_plan in a plan of `stages` stages. Equal on all ranks.
  Budget budget(int stages) const;
  /// The most that a stage of a plan of `stages` stages needs. Equal on all ranks.
  StageNeed most(int stages) const;

  /// Whether so much of each half is there to be touched.
  bool has(int64_t bytes) const { return bytes <= made_bytes_; }
  /// Local, on all ranks alike: makes so much, and some more; returns how much. Throws Error(no_memory).
  int64_t make(int64_t bytes) const;
  /// Local: the ranks have agreed that so much is there.
  void take_into_use(int64_t bytes);

  std::byte *slices(const StagePlace &stage, int half) const { return node_.half(half) + stage.slices; }
  std::byte *outgoing(const StagePlace &stage, int half) const { return node_.half(half) + stage.outgoing; }
  std::byte *incoming(const StagePlace &stage, int half) const { return node_.half(half) + stage.incoming; }

  HalfState &state(int stage, int half) const {
    return node_.control().halves[static_cast<size_t>(stage)][static_cast<size_t>(half)];
  }
  /// The values of the counters of `state` when all rounds begun so far are over. The same on all ranks of a node.
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
