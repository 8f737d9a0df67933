// Which way of writing costs a model least, by what its own steps have cost: within its calls, or behind them, by a
// thread of one rank on each node. With `servers: auto`, serve/choosing.hpp measures steps and asks here. Next to the
// model of servers (report/speed_up.hpp), this is the model of threads. Pure arithmetic and its words.
#pragma once

#include <string>
#include <string_view>

namespace sv {

enum class Way { calls, threads };
std::string_view name_of(Way way);

/// What a step that writes has cost: seconds and bytes, means over some steps.
struct StepCost {
  double wall = 0;       // from its end to the end of the next one
  double compute = 0;    // of that outside the calls, on the rank with most: the others wait for it
  double pack = 0;       // the largest of a rank
  double write = 0;      // of who writes, within its calls or in its thread: the largest
  double processor = 0;  // of that, what the thread kept a processor busy
  double idle = 0;       // of the cores on which the thread may run, those that had nothing to do: 0 to 1
  double bytes = 0;      // of all ranks
  int ranks_of_node = 1;
  double inside() const { return wall - compute; }
};

/// max(compute + pack + what the thread takes from those who compute, write), where the model would compute for
/// `compute` if nothing was written. The thread takes its processor's time where no core is idle.
double with_threads(double compute, const StepCost &cost);
/// The same with a rank of each node that serves: equation 2 of Huang et al. 2013. The others compute its part, too.
double with_a_server(double compute, const StepCost &cost);

/// Tries the ways, and keeps to the cheaper one. All ranks give it the same costs, so that they choose the same.
class Chooser {
 public:
  /// What is to be done at the end of a step that has written something.
  enum class Turn { pass, begin, end };
  Turn step_ended();
  /// After Turn::end: what the steps since Turn::begin have cost.
  void measured(const StepCost &cost);

  Way way() const { return way_; }
  /// A sentence for the summary.
  const std::string &why() const { return why_; }

 private:
  void settle(const std::string &why);

  Way way_ = Way::threads;
  bool trying_ = false;
  StepCost before_;  // of the other way, while one is tried
  int left_ = 1;     // steps until the measurement begins, or ends
  bool measures_ = false;
  int pause_ = 8;  // steps until it looks again; doubles
  std::string why_ = "the first steps are measured";
};

}  // namespace sv
