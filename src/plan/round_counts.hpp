// The amount of given boxes that the writers receive, round by round, counted and not bounded. Only the search for the
// size of the rounds (plan/rounds.cpp) uses it, and limits the time of counting.
#pragma once

#include <optional>
#include <vector>

#include "plan/plan.hpp"

namespace sv {

/// A box of the field whose elements are added up in sum `sum`, except for the parts of writers on node `but_node`.
struct CountedBox {
  Box box;
  int sum;
  int but_node = -1;
};

/// Counts again and again, for sizes of rounds that are tried one after the other. `plan` and `topology` must outlive
/// it.
class RoundCounter {
 public:
  RoundCounter(const Plan &plan, const Topology &topology, std::vector<CountedBox> boxes);

  /// With the rounds that the plan now has, of every sum: the most elements that the sinks of the last stage take in of
  /// its boxes in one round. A sink is held against those boxes only whose rows its share of the round meets; nothing
  /// where there are more than `most` such pairs.
  std::optional<std::vector<int64_t>> most_in_rounds(int64_t most);

 private:
  struct Rows;
  struct Taken;
  void add(const Taken &taken);
  void add_rows(const Taken &taken, const Rows &rows);

  const Plan &plan_;
  const Topology &topology_;
  const int axis_;
  std::vector<CountedBox> boxes_;  // by their first rows
  std::vector<int64_t> begins_;    // these
  int64_t tallest_ = 0, left_ = 0;
  std::vector<int64_t> now_;
};

}  // namespace sv
