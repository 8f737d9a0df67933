// The time of a model that hands over what it puts, and of servers that write it behind the model: two clocks that wait
// for each other (docs/prediction.md). sv-plan predicts runs with servers by it.
#pragma once

#include <cstdint>
#include <vector>

#include "prediction/prediction.hpp"

namespace sv {

/// Local; seconds count from the beginning of the run.
class ServedClock {
 public:
  /// `buffer_bytes`: of the servers' slots on a node.
  explicit ServedClock(int64_t buffer_bytes) : buffer_bytes_(buffer_bytes) {}

  /// The model computes, or does something else that has nothing to do with the servers.
  void pass(double seconds) { model_ += seconds; }
  /// The model packs what it puts, and goes on where there is room: `bytes` on the node that puts most. Servers begin
  /// with the first of its rounds, behind all that they have to do already.
  void hand_over(const PhaseSeconds &phases, int rounds, int64_t bytes);
  /// The servers close a file when they have written all data handed over so far.
  void close(double seconds) { written_ += seconds; }

  double model() const { return model_; }      // where the model is
  double waiting() const { return waiting_; }  // of that, for room
  double written() const { return written_; }  // when the servers have done all of it

 private:
  /// When servers begin and end to write a hand-over, and the bytes of all up to this one.
  struct Drain {
    double begin, end;
    int64_t until_bytes;
  };
  double when_written(int64_t bytes) const;

  const int64_t buffer_bytes_;
  int64_t handed_bytes_ = 0;
  double model_ = 0, waiting_ = 0, written_ = 0;
  std::vector<Drain> drains_;
};

/// A model that computes, puts the field, and goes on, while servers write.
struct ServedRun {
  int steps = 1;
  double compute_seconds = 0;      // of a step
  int64_t buffer_bytes = 0;        // of the servers' slots on a node
  int64_t step_bytes_of_node = 0;  // that a step puts into them, on the node that puts most
};
struct ServedSeconds {
  double hand_over = 0;  // of a step, as long as there is room: packing
  double drain = 0;      // of a step: sending and writing
  double waiting = 0;    // of all steps, for room
  double model = 0;      // until the model could end
  double total = 0;      // until all is written and closed
  double room = 0;       // steps that fit into the slots
};
/// Room becomes free as it is written. Without limits of it, steps take max(compute + hand-over, drain): equation 2 of
/// Huang et al. 2013.
ServedSeconds predict_served(const PlanCounts &counts, const Machine &machine, const ServedRun &run);

}  // namespace sv
