// With `servers: auto`: which of two ways the files of a context are written, in the calls or behind them. It measures
// what steps cost on all ranks, and asks the chooser (report/ways.hpp); or it takes turns, as the settings ask for. The
// behind_service has it.
#pragma once

#include <vector>

#include "file/context.hpp"
#include "report/ways.hpp"
#include "rounds/behind.hpp"

namespace sv {

class Choosing {
 public:
  /// `turns`: of the settings. Both references outlive it.
  Choosing(const Context &context, const Behind &behind, std::vector<int> turns);

  /// Collective. A step has ended in which something was put: the way from the next one on, the same on all ranks.
  Way step_ended();
  std::string why() const;

 private:
  /// What has passed on this rank so far.
  struct Counts {
    double wall = 0, inside = 0, pack = 0, output = 0, bytes = 0, idle = 0;
    Behind::Passed passed;
  };
  struct Cost;
  Counts counts() const;
  Cost cost_since() const;
  StepCost of_all(const Cost &mine) const;
  Way next_turn();

  const Context &context_;
  const Behind &behind_;
  const std::vector<int> turns_;
  size_t turn_ = 0;
  int steps_ = 0;  // of this turn, or since what is measured began
  Chooser chooser_;
  Counts begin_;
};

}  // namespace sv
