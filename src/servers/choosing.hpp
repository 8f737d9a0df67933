// With `async: auto`: which way the files of a context are written: in the calls, behind them, or by ranks that were
// kept ready to serve. It measures what steps cost on all ranks, and asks the choosers (plan/output_modes.hpp); or it
// takes turns, as the settings ask for. The behind_service has it.
#pragma once

#include <optional>
#include <vector>

#include "delivery/background_writer.hpp"
#include "file/context.hpp"
#include "plan/output_modes.hpp"

namespace sv {

class Client;

class Choosing {
 public:
  /// `ready`: of the ranks that are kept ready; nullptr: there are none. `turns`: of the settings. All others outlive
  /// it.
  Choosing(const Context &context, const BackgroundWriter &behind, const Client *ready, std::vector<int> turns);

  /// Collective. A step has ended in which something was put; `served`: by servers, too. The way of the ranks that
  /// compute from the next one on, the calls or threads, the same on all ranks.
  OutputMode step_ended(bool served);
  /// Local; the same on all ranks. A file begins that servers could write: whether they do.
  bool is_served();
  /// How what begins now is written, why, and how often that has changed.
  ModeReport report() const;

 private:
  /// The counts of this rank so far.
  struct Counts {
    double wall = 0, inside = 0, pack = 0, output = 0, bytes = 0, idle = 0;
    int64_t requests = 0;
    Passed passed, served;
  };
  /// Steps in turn that are written in the same way.
  struct Turn {
    OutputMode mode;
    int left;
    bool is_measured;
    int pause;  // steps; doubles
    int steps;  // measured
    Counts begin;
  };
  struct Cost;
  Counts counts() const;
  Cost cost_since(const Counts &begin, OutputMode mode, int steps) const;
  StepCost of_all(const Cost &mine) const;
  void measured(OutputMode mode);
  void watch(OutputMode mode);
  OutputMode next_turn();
  void change_to(OutputMode mode);

  const Context &context_;
  const BackgroundWriter &behind_;
  const Client *const ready_;
  const std::vector<int> turns_;
  size_t turn_ = 0;
  int steps_ = 0;  // of this turn, or since the current measurement began
  Chooser chooser_;
  Counts begin_;
  ReadyChooser for_ready_;
  std::optional<Turn> watched_;  // where ranks are kept ready
  OutputMode mode_ = OutputMode::threads;
  int changes_ = 0;
};

}  // namespace sv
