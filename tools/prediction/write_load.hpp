// How the writes of a plan fall on the stripes of the file, and on the storage targets that these lie on. The
// prediction turns it into seconds.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/plan.hpp"

namespace sv {

/// A count, in equations.
inline double real(int64_t count) { return static_cast<double>(count); }

/// Stripes lie round-robin over the targets, of which a file has `targets`.
struct Striping {
  int64_t bytes = 1 << 20;
  int targets = 1;
};

/// The load of one target. The parts of a write on one target are one request of it.
struct TargetLoad {
  double requests = 0, bytes = 0, hand_overs = 0;
};

struct WriteLoad {
  std::vector<TargetLoad> targets;  // of the file
  double most_serial_bytes = 0;     // over a writer's writes, what each has on the target that has most of it: summed
  double hand_overs = 0;            // of stripes, from one writer to another: expected where their order is not known
  double least_hand_overs = 0, most_hand_overs = 0;  // and how few and how many there can be
};

/// For routes that write one file. In a stripe that n writes of several writers touch, n_i of each, there are between
/// writers − 1 and min(n − 1, 2 (n − max n_i)) hand-overs, and n − Σ n_i² / n if every order is equally likely: all
/// write at the same pace, and none waits. For more than some millions of writes, the first levels are counted and
/// stand for all. Throws Error for too many stripes.
WriteLoad write_load_of(const Plan &plan, const Striping &striping);

/// `stripes`; throws Error where they are too many to be held one by one.
int64_t held_stripes(int64_t stripes);

}  // namespace sv
