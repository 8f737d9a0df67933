#include "plan/output_modes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace sv {

namespace {

constexpr int measured_steps = 2;
constexpr double worth_trying = 0.03, worth_keeping = 0.01;  // of a step
constexpr double clear = 0.15;                               // of a step: so much more or less needs no second one

OutputMode other(OutputMode mode) { return mode == OutputMode::threads ? OutputMode::calls : OutputMode::threads; }

std::string seconds(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g s", value);
  return text;
}

/// What the thread takes from the ranks that compute.
double taken(const StepCost &cost) { return cost.processor * (1 - std::clamp(cost.idle, 0.0, 1.0)); }

std::string how(OutputMode mode) {
  if (mode == OutputMode::servers) return "with servers";
  return mode == OutputMode::threads ? "with threads" : "synchronously";
}

/// How long a step of this way takes if memory cannot hide any longer that writing takes longer.
double lasting(const StepCost &cost) { return std::max(cost.wall, cost.write); }

/// The least that a step may take the other way than this, in which it has cost so much. In the calls, the same ranks
/// pack and write one after the other; only what a thread has written on a core that was not idle was no gain.
double other_at_best(OutputMode mode, const StepCost &cost) {
  if (mode == OutputMode::calls) return std::max(cost.compute + cost.pack, cost.write);
  return cost.compute + cost.pack + cost.write * std::clamp(cost.idle, 0.0, 1.0);
}

/// The same of ranks that are ready to serve: they have cores of their own, where a thread waits for one.
double served_at_best(OutputMode mode, const StepCost &cost) {
  if (mode == OutputMode::calls) return std::max(cost.compute + cost.pack, cost.write);
  const double idle = std::clamp(cost.idle, 0.0, 1.0);
  const double write = idle * cost.write + (1 - idle) * std::min(cost.processor, cost.write);
  return std::max(std::max(cost.compute - taken(cost), 0.0) + cost.pack, write);
}

/// How much longer a step takes with one mode than with another: by the time in calls, by the computing time that the
/// writer takes (computing may differ for other reasons, but a thread or a server takes no more than its processor's
/// time), and by the delay of the writer.
double excess(const StepCost &one, const StepCost &other) {
  const double slower = std::clamp(one.compute - other.compute, -other.processor, one.processor);
  const auto outside_computing = [](const StepCost &cost) { return cost.inside() + lasting(cost) - cost.wall; };
  return outside_computing(one) + slower - outside_computing(other);
}

std::string in_words(OutputMode mode, const StepCost &cost) {
  char size[64];
  std::snprintf(size, sizeof size, "%.3g MB", cost.bytes / 1e6);
  std::string text = how(mode) + ", a step of " + size + " took " + seconds(cost.wall) + ", " + seconds(cost.inside()) +
                     " of it in calls; ";
  text += mode == OutputMode::threads   ? "a thread wrote it in "
          : mode == OutputMode::servers ? "servers wrote it in "
                                        : "writing took ";
  text += seconds(cost.write);
  if (cost.write > 0) {
    std::snprintf(size, sizeof size, " (%.3g MB/s)", cost.bytes / cost.write / 1e6);
    text += size;
  }
  if (mode == OutputMode::servers) text += ", and took " + seconds(cost.processor) + " of a processor";
  if (mode == OutputMode::threads)
    text += cost.idle >= 0.5 ? ", on a core that was idle"
                             : ", no core was idle, and it took " + seconds(cost.processor) + " of a processor";
  return text;
}

/// Only where it would be less: ranks are given up in sv_init.
std::string of_servers(OutputMode mode, const StepCost &cost) {
  const double compute = mode == OutputMode::calls ? cost.compute : std::max(cost.compute - taken(cost), 0.0);
  const double served = with_a_server(compute, cost);
  if (cost.ranks_of_node < 2 || served > (1 - worth_trying) * lasting(cost)) return "";
  return "; with 'async: servers:1 per node' it would take " + seconds(served);
}

}  // namespace

std::string_view name_of(OutputMode mode) {
  if (mode == OutputMode::servers) return "servers";
  return mode == OutputMode::threads ? "threads" : "synchronous";
}

double with_threads(double compute, const StepCost &cost) {
  return std::max(compute + cost.pack + taken(cost), cost.write);
}

double with_a_server(double compute, const StepCost &cost) {
  const double more = static_cast<double>(cost.ranks_of_node) / std::max(cost.ranks_of_node - 1, 1);
  return std::max((compute + cost.pack) * more, cost.write);
}

int Pause::next(int look, double loss) {
  constexpr double most_of_all = 0.02;  // that looks may cost
  constexpr int longest = 8;            // of the known periods: one observation may be wrong
  const int least = std::exchange(least_, std::min(2 * least_, 1 << 20));
  return static_cast<int>(std::clamp<double>(look * loss / most_of_all, least, longest * least));
}

/// While the other way is tried, one step may be enough.
Chooser::Turn Chooser::step_ended() {
  if (--left_ > 0) return Turn::pass;
  measures_ = !measures_;
  left_ = trying_ ? 1 : measured_steps;
  return measures_ ? Turn::begin : Turn::end;
}

void Chooser::measured(const StepCost &cost) {
  if (!trying_) {
    const double hoped = other_at_best(mode_, cost);
    if (hoped < (1 - worth_trying) * lasting(cost)) {
      before_ = cost;
      trying_ = true;
      left_ = 1;
      mode_ = other(mode_);
      why_ = "it is tried; before, " + in_words(other(mode_), cost);
      return;
    }
    return settle(cost,
                  in_words(mode_, cost) + "; " + how(other(mode_)) + ", it would take " + seconds(hoped) + " at least" +
                      (has_ready_ ? "" : of_servers(mode_, cost)),
                  0);
  }
  const bool threads = mode_ == OutputMode::threads;
  const double slower = threads ? excess(cost, before_) : -excess(before_, cost);
  const double part = std::abs(slower) / lasting(cost);
  measures_ = !is_unclear_ && part < clear;
  is_unclear_ = measures_;
  if (measures_) return;
  trying_ = false;
  const std::string words =
      in_words(other(mode_), before_) + "; " + in_words(mode_, cost) + (has_ready_ ? "" : of_servers(mode_, cost));
  const bool pays = slower <= -worth_keeping * lasting(cost);
  if (!pays) mode_ = other(mode_);
  settle(pays ? cost : before_, words, part);
}

void Chooser::interrupted() {
  if (measures_) left_ = 1;
  measures_ = is_unclear_ = false;
}

void Chooser::settle(const StepCost &kept, const std::string &why, double loss) {
  kept_ = kept;
  why_ = why;
  left_ = pause_.next(1 + measured_steps, loss);
}

bool ReadyChooser::begins() {
  constexpr int most_tried_files = 4;  // whose steps cannot be measured
  if (!own_ || --left_ > 0) return serves_;
  if (trying_) {
    trying_ = false;
    serves_ = !serves_;
    settle("of " + std::to_string(most_tried_files) + " files that servers should begin or leave, no steps in turn " +
               "could be measured",
           0);
    return serves_;
  }
  const double hoped = served_at_best(own_mode_, *own_);
  if (!serves_ && hoped >= (1 - worth_trying) * lasting(*own_)) {
    settle(in_words(own_mode_, *own_) + "; with servers, it would take " + seconds(hoped) + " at least", 0);
    return false;
  }
  trying_ = true;
  left_ = most_tried_files;
  serves_ = !serves_;
  why_ = (serves_ ? "servers are tried; before, " + in_words(own_mode_, *own_)
                  : "no servers are tried; before, " + in_words(OutputMode::servers, *served_));
  return serves_;
}

bool ReadyChooser::measured(OutputMode mode, const StepCost &cost, int steps) {
  (mode == OutputMode::servers ? served_ : own_) = cost;
  if (mode != OutputMode::servers) own_mode_ = mode;
  if (!trying_ || (mode == OutputMode::servers) != serves_) return steps >= measured_steps;
  const double slower = excess(cost, serves_ ? *own_ : *served_), part = std::abs(slower) / lasting(cost);
  if (steps < measured_steps && part < clear) return false;
  trying_ = false;
  if (slower > -worth_keeping * lasting(cost)) serves_ = !serves_;
  settle(in_words(own_mode_, *own_) + "; " + in_words(OutputMode::servers, *served_), part);
  return true;
}

void ReadyChooser::settle(const std::string &why, double loss) {
  why_ = why;
  left_ = pause_.next(1 + measured_steps, loss);
}

}  // namespace sv
