// Chooses the cheapest way of writing for a model, by the measured cost of its own steps: within its calls; after them,
// by a thread of one rank on each node; or by standby servers. With `async: auto`, servers/choosing.hpp measures
// steps and calls this. Pure arithmetic and its words; the model of servers is in report/speed_up.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sv {

enum class OutputMode { calls, threads, servers };
std::string_view name_of(OutputMode mode);

/// The cost of a step that writes: seconds and bytes, means over some steps.
struct StepCost {
  double wall = 0;       // from its end to the end of the next one
  double compute = 0;    // of that outside the calls, on the rank with most: the others wait for it
  double pack = 0;       // the largest of a rank
  double write = 0;      // of who writes, within its calls, in its thread or in a server: the largest
  double processor = 0;  // of that, what the thread, or the server, kept a processor busy
  double idle = 0;       // of the cores on which the thread may run, those that had nothing to do: 0 to 1
  double bytes = 0;      // of all ranks
  int ranks_of_node = 1;
  double inside() const { return wall - compute; }
};

/// The progress of a thread or server at its last report: the last request or step, and the seconds of all of it.
struct Passed {
  int64_t number = 0;
  double busy_seconds = 0, processor_seconds = 0;
};

/// max(compute + pack + what the thread takes from those who compute, write), where the model would compute for
/// `compute` if nothing was written. The thread takes its processor's time where no core is idle.
double with_threads(double compute, const StepCost &cost);
/// The same with a rank of each node that serves: equation 2 of Huang et al. 2013. The others compute its part, too.
double with_a_server(double compute, const StepCost &cost);

/// How many steps or files pass until the other way is looked at again.
class Pause {
 public:
  /// A trial takes this many steps, each of which costs this much more than the kept way, as a part of it. At least 8,
  /// then 16, 32 …; and so many that trials cost little of the whole, as far as is known.
  int next(int look, double loss);

 private:
  int least_ = 8;
};

/// Of the ways of the ranks that compute, the calls and threads: tries them, and keeps to the cheaper one. All ranks
/// give it the same costs, so that they choose the same.
class Chooser {
 public:
  /// `has_ready`: ranks are kept ready to serve, and none would have to be given up for that.
  explicit Chooser(bool has_ready = false) : has_ready_(has_ready) {}

  /// The action at the end of a step that has written something.
  enum class Turn { pass, begin, end };
  Turn step_ended();
  /// After Turn::end: the cost of the steps since Turn::begin. Turn::end comes again if the result is not clear yet.
  void measured(const StepCost &cost);
  /// A step was written otherwise: the begun measurement is repeated later.
  void interrupted();

  OutputMode mode() const { return mode_; }
  bool is_trying() const { return trying_; }
  /// The cost of a step of this way, when no trial runs any more.
  const StepCost &kept() const { return kept_; }
  /// A sentence for the summary.
  const std::string &why() const { return why_; }

 private:
  void settle(const StepCost &kept, const std::string &why, double loss);

  const bool has_ready_;
  OutputMode mode_ = OutputMode::threads;
  bool trying_ = false;
  StepCost before_, kept_;  // of the other way, while one is tried
  int left_ = 1;            // steps until the measurement begins, or ends
  bool measures_ = false, is_unclear_ = false;
  Pause pause_;
  std::string why_ = "the first steps are measured";
};

/// Whether files that begin are written by ranks that were kept ready: where steps so cost less than with the better of
/// the other two ways. A file stays where it began.
class ReadyChooser {
 public:
  /// A file begins: whether servers write it.
  bool begins();
  bool serves() const { return serves_; }
  bool is_trying() const { return trying_; }
  /// The cost of so many steps with servers, or of those of the other ways, as the run would continue. False if it is
  /// not clear yet, and one more must be measured.
  bool measured(OutputMode mode, const StepCost &cost, int steps);
  /// A sentence for the summary.
  const std::string &why() const { return why_; }

 private:
  void settle(const std::string &why, double loss);

  std::optional<StepCost> own_, served_;
  OutputMode own_mode_ = OutputMode::threads;
  bool serves_ = false, trying_ = false;
  int left_ = 1;  // files until it looks again; while it tries, until it gives up
  Pause pause_;
  std::string why_ = "no file has begun since the first steps were measured, which servers could write";
};

}  // namespace sv
