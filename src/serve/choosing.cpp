#include "serve/choosing.hpp"

#include <algorithm>
#include <numeric>

#include "serve/idle_cores.hpp"
#include "transport/wait.hpp"

namespace sv {

/// Of one rank, per step: as StepCost has them.
struct Choosing::Cost {
  double wall, compute, pack, write, processor, idle, bytes;
};

namespace {

double seconds_now() { return std::chrono::duration<double>(moment_now().time_since_epoch()).count(); }

double of_step(const Metrics &metrics, Step step) { return metrics.step_seconds[static_cast<size_t>(step)]; }

}  // namespace

Choosing::Choosing(const Context &context, const Behind &behind, std::vector<int> turns)
    : context_(context), behind_(behind), turns_(std::move(turns)) {}

Choosing::Counts Choosing::counts() const {
  const Metrics &metrics = context_.metrics;
  return {.wall = seconds_now(),
          .inside = std::accumulate(metrics.seconds.begin(), metrics.seconds.end(), 0.0),
          .pack = of_step(metrics, Step::pack),
          .output = of_step(metrics, Step::output),
          .bytes = static_cast<double>(metrics.placed_bytes),
          .idle = context_.node.local_rank() == 0 ? idle_core_seconds() : 0,
          .passed = behind_.passed()};
}

/// A thread may be steps late: what it has passed tells what a step costs it.
Choosing::Cost Choosing::cost_since() const {
  const Counts now = counts();
  const double wall = now.wall - begin_.wall, steps = steps_;
  const auto passed = static_cast<double>(now.passed.number - begin_.passed.number);
  const bool writes = context_.node.local_rank() == 0 && now.passed.busy_seconds > 0;
  Cost cost{.wall = wall / steps,
            .compute = (wall - (now.inside - begin_.inside)) / steps,
            .pack = (now.pack - begin_.pack) / steps,
            .write = (now.output - begin_.output) / steps,
            .processor = 0,
            .idle = context_.node.local_rank() == 0 ? (now.idle - begin_.idle) / wall : 1,
            .bytes = (now.bytes - begin_.bytes) / steps};
  if (chooser_.way() == Way::calls || !writes) return cost;
  cost.write = passed > 0 ? (now.passed.busy_seconds - begin_.passed.busy_seconds) / passed : cost.wall;
  if (passed > 0) cost.processor = (now.passed.processor_seconds - begin_.passed.processor_seconds) / passed;
  return cost;
}

/// Collective.
StepCost Choosing::of_all(const Cost &mine) const {
  const std::vector<Cost> costs = context_.comm.all_gather<Cost>(std::span<const Cost>(&mine, 1));
  const auto &nodes = context_.topology().ranks_of;
  const auto smaller = [](const auto &a, const auto &b) { return a.size() < b.size(); };
  StepCost all{.idle = 1,
               .ranks_of_node = static_cast<int>(std::min_element(nodes.begin(), nodes.end(), smaller)->size())};
  for (const Cost &each : costs) {
    all.wall = std::max(all.wall, each.wall);
    all.compute = std::max(all.compute, each.compute);
    all.pack = std::max(all.pack, each.pack);
    all.write = std::max(all.write, each.write);
    all.processor = std::max(all.processor, each.processor);
    all.idle = std::min(all.idle, each.idle);
    all.bytes += each.bytes;
  }
  return all;
}

Way Choosing::step_ended() {
  if (!turns_.empty()) return next_turn();
  ++steps_;
  const Chooser::Turn turn = chooser_.step_ended();
  if (turn == Chooser::Turn::end) chooser_.measured(of_all(cost_since()));
  if (turn != Chooser::Turn::begin) return chooser_.way();
  begin_ = counts();
  steps_ = 0;
  return chooser_.way();
}

Way Choosing::next_turn() {
  if (++steps_ == turns_[turn_ % turns_.size()]) {
    ++turn_;
    steps_ = 0;
  }
  return turn_ % 2 == 0 ? Way::threads : Way::calls;
}

std::string Choosing::why() const { return turns_.empty() ? chooser_.why() : "server_turns says in which steps"; }

}  // namespace sv
