#include "prediction/served_clock.hpp"

#include <algorithm>

namespace sv {

/// When so many bytes of all that was handed over are written, and their room is free again.
double ServedClock::when_written(int64_t bytes) const {
  if (bytes <= 0) return 0;
  const auto last = std::lower_bound(drains_.begin(), drains_.end(), bytes,
                                     [](const Drain &drain, int64_t wanted) { return drain.until_bytes < wanted; });
  const int64_t before = last == drains_.begin() ? 0 : (last - 1)->until_bytes;
  return last->begin + real(bytes - before) / real(last->until_bytes - before) * (last->end - last->begin);
}

void ServedClock::hand_over(const PhaseSeconds &phases, int rounds, int64_t bytes) {
  const double first_round = model_ + phases.pack / std::max(1, rounds), packed = model_ + phases.pack;
  const double begin = std::max(first_round, written_);
  handed_bytes_ += bytes;
  drains_.push_back({begin, begin + phases.send + phases.write, handed_bytes_});
  model_ = std::max(packed, when_written(handed_bytes_ - buffer_bytes_));
  waiting_ += model_ - packed;
  written_ = drains_.back().end = std::max(drains_.back().end, model_);
}

ServedSeconds predict_served(const PlanCounts &counts, const Machine &machine, const ServedRun &run) {
  const PhaseSeconds first = predict(counts, machine);
  ServedSeconds served;
  served.room = run.step_bytes_of_node > 0 ? real(run.buffer_bytes) / real(run.step_bytes_of_node) : run.steps;
  served.hand_over = first.pack;
  served.drain = first.send + first.write;
  ServedClock clock(run.buffer_bytes);
  clock.pass(first.open);
  for (int step = 0; step < run.steps; ++step) {
    clock.pass(run.compute_seconds);
    clock.hand_over(predict(counts, machine, step * counts.bytes), counts.rounds, run.step_bytes_of_node);
  }
  clock.close(first.close);
  served.waiting = clock.waiting();
  served.model = clock.model();
  served.total = clock.written();
  return served;
}

}  // namespace sv
