// How a run chooses between writing in its calls and behind them, by made-up costs of its steps.
#include "report/ways.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace sv {
namespace {

/// A machine on which a model computes for `compute` seconds, packs for `pack`, and writes for `write`, of which a
/// processor is busy for `processor`. Threads have a core of their own, or take turns with the model.
struct Machine {
  double compute, pack, write, processor;
  bool idle;
  double threads_extra = 0, calls_extra = 0;  // what both ways cost besides, in the calls

  StepCost step(Way way) const {
    StepCost cost{.pack = pack, .write = write, .idle = idle ? 1.0 : 0.0, .bytes = 40e6, .ranks_of_node = 8};
    if (way == Way::calls) {
      cost.compute = compute;
      cost.wall = compute + pack + write + calls_extra;
      return cost;
    }
    cost.processor = processor;
    cost.compute = compute + (idle ? 0 : processor);
    cost.wall = std::max(cost.compute + pack + threads_extra, write);
    return cost;
  }
};

struct Outcome {
  Way way;
  int steps_in_calls, changes;
  std::string why;
};

Outcome after(int steps, const std::function<Machine(int)> &machine) {
  Chooser chooser;
  Outcome outcome{chooser.way(), 0, 0, ""};
  for (int step = 0; step < steps; ++step) {
    const Way way = chooser.way();
    outcome.steps_in_calls += way == Way::calls;
    if (chooser.step_ended() == Chooser::Turn::end) chooser.measured(machine(step).step(way));
    outcome.changes += chooser.way() != way;
  }
  outcome.way = chooser.way();
  outcome.why = chooser.why();
  return outcome;
}

Outcome after(int steps, const Machine &machine) {
  return after(steps, [&machine](int) { return machine; });
}

TEST(Ways, WhatTheModelsSay) {
  const StepCost cost{.pack = 0.1, .write = 0.8, .processor = 0.3, .idle = 0, .ranks_of_node = 4};
  EXPECT_DOUBLE_EQ(with_threads(1, cost), 1.4) << "no core is idle";
  StepCost spare = cost;
  spare.idle = 1;
  EXPECT_DOUBLE_EQ(with_threads(1, spare), 1.1);
  EXPECT_DOUBLE_EQ(with_threads(0.2, spare), 0.8) << "writing is the limit";
  EXPECT_DOUBLE_EQ(with_a_server(0.8, cost), 1.2) << "three ranks do the work of four";
  EXPECT_DOUBLE_EQ(with_a_server(0.2, cost), 0.8);
}

TEST(Ways, AreNotTriedWhereTheyCannotGain) {
  const Outcome slow_device = after(50, Machine{0.2, 0.01, 0.2, 0.02, true});
  EXPECT_EQ(slow_device.way, Way::threads);
  EXPECT_EQ(slow_device.steps_in_calls, 0) << slow_device.why;
  EXPECT_NE(slow_device.why.find("a step of 40 MB took 0.21 s, 0.01 s of it in calls"), std::string::npos)
      << slow_device.why;
  EXPECT_NE(slow_device.why.find("(200 MB/s), on a core that was idle; synchronously, it would take 0.41 s at least"),
            std::string::npos)
      << slow_device.why;
}

TEST(Ways, CallsAreKeptWhereThreadsCostMore) {
  const Outcome outcome = after(60, Machine{0.05, 0.01, 0.01, 0.01, false, 0.03});
  EXPECT_EQ(outcome.way, Way::calls) << outcome.why;
  EXPECT_GT(outcome.steps_in_calls, 40);
  EXPECT_NE(outcome.why.find("synchronously, a step of 40 MB took 0.07 s"), std::string::npos) << outcome.why;
}

TEST(Ways, ThreadsAreTakenBackAfterATrialThatGainedNothing) {
  // What threads cost in the calls might be saved.
  const Outcome outcome = after(60, Machine{0.2, 0.03, 0.05, 0.05, false, 0.01, 0.02});
  EXPECT_EQ(outcome.way, Way::threads) << outcome.why;
  EXPECT_LE(outcome.steps_in_calls, 3 * 3) << "three steps for each look, and looks become rare";
}

TEST(Ways, AreChosenAnewWhereTheCostsChange) {
  const Machine light{0.05, 0.01, 0.01, 0.01, false, 0.03}, heavy{0.3, 0.01, 0.4, 0.01, true};
  const Outcome outcome = after(60, [&](int step) { return step < 10 ? light : heavy; });
  EXPECT_EQ(outcome.way, Way::threads) << outcome.why;
  EXPECT_GE(outcome.changes, 2);
}

TEST(Ways, ServersAreNamedWhereTheyWouldTakeLess) {
  // Of 128 ranks one is cheap, and no core is idle for the thread.
  const Machine machine{0.5, 0.05, 0.3, 0.3, false, 0.05};
  Chooser chooser;
  for (const Way way : {Way::threads, Way::calls}) {
    StepCost cost = machine.step(way);
    cost.ranks_of_node = 128;
    chooser.measured(cost);
  }
  EXPECT_NE(chooser.why().find("with 'servers: 1 per node' it would take 0.554 s"), std::string::npos) << chooser.why();
}

TEST(Ways, LooksBecomeRare) {
  Chooser chooser;
  int looks = 0;
  for (int step = 0; step < 10000; ++step)
    if (chooser.step_ended() == Chooser::Turn::end) {
      ++looks;
      chooser.measured(Machine{0.2, 0.01, 0.2, 0.02, true}.step(chooser.way()));
    }
  EXPECT_LE(looks, 12);
}

}  // namespace
}  // namespace sv
