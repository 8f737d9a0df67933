// The time of a model that hands over what it puts, and of servers that write it behind the model (docs/prediction.md).
#pragma once

#include <cstdint>
#include <vector>

#include "plan/prediction.hpp"

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
  /// The servers close a file when they have written what was handed over so far.
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

}  // namespace sv
