#include "servers/choosing.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "servers/client.hpp"
#include "servers/idle_cores.hpp"
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

Choosing::Choosing(const Context &context, const BackgroundWriter &behind, const Client *ready, std::vector<int> turns)
    : context_(context), behind_(behind), ready_(ready), turns_(std::move(turns)), chooser_(ready != nullptr) {}

Choosing::Counts Choosing::counts() const {
  const Metrics &metrics = context_.metrics;
  const int64_t handed_over = ready_ == nullptr ? 0 : ready_->placed_bytes();
  return {.wall = seconds_now(),
          .inside = std::accumulate(metrics.seconds.begin(), metrics.seconds.end(), 0.0),
          .pack = of_step(metrics, Step::pack),
          .output = of_step(metrics, Step::output),
          .bytes = static_cast<double>(metrics.placed_bytes + handed_over),
          .idle = context_.node.local_rank() == 0 ? idle_core_seconds() : 0,
          .requests = context_.disk.requests(),
          .passed = behind_.passed(),
          .served = ready_ == nullptr ? Passed{} : ready_->reports().passed()};
}

/// A thread or a server may be steps late: its progress gives the cost of a step.
Choosing::Cost Choosing::cost_since(const Counts &begin, OutputMode mode, int steps) const {
  const Counts now = counts();
  const double wall = now.wall - begin.wall;
  Cost cost{.wall = wall / steps,
            .compute = (wall - (now.inside - begin.inside)) / steps,
            .pack = (now.pack - begin.pack) / steps,
            .write = (now.output - begin.output) / steps,
            .processor = 0,
            .idle = context_.node.local_rank() == 0 ? (now.idle - begin.idle) / wall : 1,
            .bytes = (now.bytes - begin.bytes) / steps};
  const bool serves = mode == OutputMode::servers;
  const Passed &before = serves ? begin.served : begin.passed, &after = serves ? now.served : now.passed;
  const bool hears = serves || context_.node.local_rank() == 0;
  if (mode == OutputMode::calls || !hears || after.busy_seconds == 0) return cost;
  const double numbers = serves ? 1 : static_cast<double>(now.requests - begin.requests) / steps;  // of a step
  const double passed = static_cast<double>(after.number - before.number) / numbers;
  cost.write = passed > 0 ? (after.busy_seconds - before.busy_seconds) / passed : cost.wall;
  if (passed > 0) cost.processor = (after.processor_seconds - before.processor_seconds) / passed;
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

OutputMode Choosing::step_ended(bool served) {
  const OutputMode before = chooser_.mode();
  if (!turns_.empty()) return next_turn();
  if (served) {
    chooser_.interrupted();
  } else {
    ++steps_;
    const Chooser::Turn turn = chooser_.step_ended();
    if (turn == Chooser::Turn::end) measured(before);
    if (turn == Chooser::Turn::begin) begin_ = counts();
    if (turn == Chooser::Turn::begin) steps_ = 0;
  }
  if (ready_ != nullptr) watch(served ? OutputMode::servers : before);
  if (!for_ready_.serves()) change_to(chooser_.mode());
  return chooser_.mode();
}

/// Collective.
void Choosing::measured(OutputMode mode) {
  chooser_.measured(of_all(cost_since(begin_, mode, steps_)));
  if (ready_ == nullptr || chooser_.is_trying() || for_ready_.is_trying()) return;
  for_ready_.measured(chooser_.mode(), chooser_.kept(), steps_);
}

/// Collective. For the cost of steps with servers and without: measures some of those in turn that are written in one
/// way.
void Choosing::watch(OutputMode mode) {
  constexpr int first_pause = 8;
  if (!watched_ || watched_->mode != mode) {  // the first may have begun in another way
    watched_ = Turn{mode, 1, true, first_pause, 0, counts()};
    return;
  }
  Turn &turn = *watched_;
  if (--turn.left > 0) return;
  turn.left = 1;
  if (!std::exchange(turn.is_measured, true)) {
    turn.begin = counts();
    turn.steps = 0;
    return;
  }
  ++turn.steps;
  const bool is_kept = mode == OutputMode::servers || (mode == chooser_.mode() && !chooser_.is_trying());
  if (is_kept && !for_ready_.measured(mode, of_all(cost_since(turn.begin, mode, turn.steps)), turn.steps)) return;
  turn.is_measured = false;
  turn.left = std::exchange(turn.pause, 2 * turn.pause);
}

bool Choosing::is_served() {
  if (ready_ == nullptr) return false;
  bool serves = for_ready_.serves();
  if (!turns_.empty())
    serves = mode_ == OutputMode::servers;
  else if (!chooser_.is_trying())
    serves = for_ready_.begins();
  change_to(serves ? OutputMode::servers : turns_.empty() ? chooser_.mode() : mode_);
  return serves;
}

/// In the turns of servers, threads write what began before.
OutputMode Choosing::next_turn() {
  constexpr OutputMode modes[] = {OutputMode::threads, OutputMode::calls, OutputMode::servers};
  if (++steps_ == turns_[turn_ % turns_.size()]) {
    ++turn_;
    steps_ = 0;
  }
  change_to(modes[turn_ % (ready_ == nullptr ? 2 : 3)]);
  return mode_ == OutputMode::calls ? OutputMode::calls : OutputMode::threads;
}

void Choosing::change_to(OutputMode mode) {
  if (std::exchange(mode_, mode) != mode) ++changes_;
}

ModeReport Choosing::report() const {
  std::string why = turns_.empty() ? chooser_.why() : "testing.turns says in which steps";
  if (turns_.empty() && ready_ != nullptr) why = "without servers: " + why + "; ranks kept ready: " + for_ready_.why();
  return {std::string(name_of(mode_)), why, changes_};
}

}  // namespace sv
