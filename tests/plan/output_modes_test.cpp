// How a run chooses between writing in its calls and behind them, by made-up costs of its steps.
#include "plan/output_modes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace sv {
namespace {

/// A machine on which a model computes for `compute` seconds, packs for `pack`, and writes for `write`, of which a
/// processor is busy for `processor`. Threads have a core of their own, or take turns with the model.
struct Machine {
  double compute, pack, write, processor;
  bool idle;
  double threads_extra = 0, calls_extra = 0;  // further costs of both methods, in the calls
  double served_extra = 0;                    // the same of ranks that are ready, which have cores of their own

  StepCost step(OutputMode mode) const {
    if (mode == OutputMode::servers)
      return {.wall = std::max(compute + pack + served_extra, write),
              .compute = compute,
              .pack = pack,
              .write = write,
              .processor = processor};
    StepCost cost{.pack = pack, .write = write, .idle = idle ? 1.0 : 0.0, .bytes = 40e6, .ranks_of_node = 8};
    if (mode == OutputMode::calls) {
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
  OutputMode mode;
  int steps_in_calls, changes;
  std::string why;
};

Outcome after(int steps, const std::function<Machine(int)> &machine) {
  Chooser chooser;
  Outcome outcome{chooser.mode(), 0, 0, ""};
  for (int step = 0; step < steps; ++step) {
    const OutputMode mode = chooser.mode();
    outcome.steps_in_calls += mode == OutputMode::calls;
    if (chooser.step_ended() == Chooser::Turn::end) chooser.measured(machine(step).step(mode));
    outcome.changes += chooser.mode() != mode;
  }
  outcome.mode = chooser.mode();
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
  EXPECT_EQ(slow_device.mode, OutputMode::threads);
  EXPECT_EQ(slow_device.steps_in_calls, 0) << slow_device.why;
  EXPECT_NE(slow_device.why.find("a step of 40 MB took 0.21 s, 0.01 s of it in calls"), std::string::npos)
      << slow_device.why;
  EXPECT_NE(slow_device.why.find("(200 MB/s), on a core that was idle; synchronously, it would take 0.41 s at least"),
            std::string::npos)
      << slow_device.why;
}

TEST(Ways, CallsAreKeptWhereThreadsCostMore) {
  const Outcome outcome = after(60, Machine{0.05, 0.01, 0.01, 0.01, false, 0.03});
  EXPECT_EQ(outcome.mode, OutputMode::calls) << outcome.why;
  EXPECT_GT(outcome.steps_in_calls, 40);
  EXPECT_NE(outcome.why.find("synchronously, a step of 40 MB took 0.07 s"), std::string::npos) << outcome.why;
}

TEST(Ways, ThreadsAreTakenBackAfterATrialThatGainedNothing) {
  // The cost of threads in the calls might be saved.
  const Outcome outcome = after(60, Machine{0.2, 0.03, 0.05, 0.05, false, 0.01, 0.02});
  EXPECT_EQ(outcome.mode, OutputMode::threads) << outcome.why;
  EXPECT_LE(outcome.steps_in_calls, 3 * 3) << "three steps for each look, and looks become rare";
}

TEST(Ways, AreChosenAnewWhereTheCostsChange) {
  const Machine light{0.05, 0.01, 0.01, 0.01, false, 0.03}, heavy{0.3, 0.01, 0.4, 0.01, true};
  const Outcome outcome = after(100, [&](int step) { return step < 10 ? light : heavy; });
  EXPECT_EQ(outcome.mode, OutputMode::threads) << outcome.why;
  EXPECT_GE(outcome.changes, 2);
}

TEST(Ways, ServersAreNamedWhereTheyWouldTakeLess) {
  // Of 128 ranks one is cheap, and no core is idle for the thread.
  const Machine machine{0.5, 0.05, 0.3, 0.3, false, 0.05};
  Chooser chooser;
  for (const OutputMode mode :
       {OutputMode::threads, OutputMode::calls, OutputMode::calls}) {  // one step in the calls does not make it clear
    StepCost cost = machine.step(mode);
    cost.ranks_of_node = 128;
    chooser.measured(cost);
  }
  EXPECT_NE(chooser.why().find("with 'async: servers:1 per node' it would take 0.554 s"), std::string::npos)
      << chooser.why();
}

TEST(Ways, LooksBecomeRare) {
  Chooser chooser;
  int looks = 0;
  for (int step = 0; step < 10000; ++step)
    if (chooser.step_ended() == Chooser::Turn::end) {
      ++looks;
      chooser.measured(Machine{0.2, 0.01, 0.2, 0.02, true}.step(chooser.mode()));
    }
  EXPECT_LE(looks, 12);
}

TEST(Ways, ATrialIsShortWhereItIsClear) {
  // In the calls, a step takes almost twice as long: one is enough to know it, and no more is tried for long.
  const Machine dear{0.1, 0.01, 0.03, 0.03, false, 0.02, 0.15};
  EXPECT_EQ(after(100, dear).mode, OutputMode::threads);
  EXPECT_EQ(after(60, dear).steps_in_calls, 2) << after(60, dear).why;
  EXPECT_EQ(after(100, dear).steps_in_calls, 4) << after(100, dear).why;
  const Machine alike{0.1, 0.01, 0.03, 0.03, false, 0.012, 0.012};
  EXPECT_EQ(after(12, alike).steps_in_calls, 3) << "two are measured, and a look comes soon";
  EXPECT_GT(after(100, alike).steps_in_calls, 6) << after(100, alike).why;
}

TEST(Ways, DearLooksAreRare) {
  EXPECT_EQ(Pause().next(3, 0), 8);
  EXPECT_EQ(Pause().next(3, 0.2), 30);
  EXPECT_EQ(Pause().next(3, 5), 64) << "one look may have erred";
  Pause pause;
  EXPECT_EQ(pause.next(3, 0), 8);
  EXPECT_EQ(pause.next(3, 0.01), 16);
  EXPECT_EQ(pause.next(3, 0), 32);
}

struct ReadyOutcome {
  int served = 0;
  bool serves = false;
  std::string why;
};

/// Files that begin one after the other, with so many steps each, of which those from the second on are measured.
ReadyOutcome after_files(int files, const Machine &machine, bool is_measured = true) {
  ReadyChooser chooser;
  chooser.measured(OutputMode::threads, machine.step(OutputMode::threads), 2);
  ReadyOutcome outcome;
  int steps = 0;  // of this way, measured
  bool served = false;
  for (int file = 0; file < files; ++file) {
    const bool serves = chooser.begins();
    const OutputMode mode = serves ? OutputMode::servers : OutputMode::threads;
    steps = serves == std::exchange(served, serves) ? steps + 1 : 1;
    outcome.served += serves;
    if (is_measured && chooser.measured(mode, machine.step(mode), steps)) steps = 0;
  }
  return {outcome.served, chooser.serves(), chooser.why()};
}

TEST(Ready, RanksServeWhereTheThreadTakesACoreFromTheModel) {
  const ReadyOutcome outcome = after_files(50, Machine{0.2, 0.01, 0.1, 0.05, false});
  EXPECT_TRUE(outcome.serves) << outcome.why;
  EXPECT_GE(outcome.served, 45) << "all but the looks at how it would be without them";
  EXPECT_NE(outcome.why.find("with threads, a step of 40 MB took 0.26 s"), std::string::npos) << outcome.why;
  EXPECT_NE(outcome.why.find("with servers, a step of"), std::string::npos) << outcome.why;
}

TEST(Ready, RanksStayIdleWhereServingCostsMore) {
  const ReadyOutcome outcome = after_files(50, Machine{0.02, 0.01, 0.01, 0.01, false, 0.005, 0, 0.03});
  EXPECT_FALSE(outcome.serves) << outcome.why;
  EXPECT_GE(outcome.served, 1);
  EXPECT_LE(outcome.served, 3) << "looks become rare";
}

TEST(Ready, RanksAreNotTriedWhereTheyCannotGain) {
  for (const Machine &machine : {Machine{0.2, 0.01, 0.4, 0.02, true}, Machine{0.2, 0.01, 0.1, 0.02, true}})
    EXPECT_EQ(after_files(50, machine).served, 0) << after_files(50, machine).why;
}

TEST(Ready, RanksAreLeftWhereTheirStepsCannotBeMeasured) {
  const ReadyOutcome outcome = after_files(12, Machine{0.2, 0.01, 0.1, 0.05, false}, false);
  EXPECT_FALSE(outcome.serves);
  EXPECT_EQ(outcome.served, 4);
  EXPECT_NE(outcome.why.find("could be measured"), std::string::npos) << outcome.why;
}

TEST(Ready, NothingIsTriedBeforeSomethingIsKnown) {
  ReadyChooser chooser;
  EXPECT_FALSE(chooser.begins());
  EXPECT_NE(chooser.why().find("no file has begun"), std::string::npos);
}

}  // namespace
}  // namespace sv
