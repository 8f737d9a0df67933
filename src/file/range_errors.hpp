// Which values of a file did not fit the type they were converted to: counted by each rank, told once when the file is
// closed.
#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "base/convert.hpp"
#include "model/schema.hpp"
#include "mpi/comm.hpp"
#include "report/metrics.hpp"

namespace sv {

/// Of one rank and file.
class RangeErrors {
 public:
  /// Where rows of this variable keep their first value that did not fit; stays where it is.
  FirstRangeError *first(int variable) { return &of(variable).first; }
  void count(int variable, OutOfRange values, const FirstRangeError &first) {
    if (values == 0) return;
    Count &all = of(variable);
    all.values += values;
    if (all.first.text.empty()) all.first = first;
    any_ = true;
  }
  bool any() const { return any_; }

  struct Count {
    int64_t values = 0;
    FirstRangeError first;
  };
  /// By variable.
  const std::deque<Count> &of_variables() const { return of_variables_; }
  /// What all ranks have counted together, once summed; on rank 0.
  const std::vector<RangeErrorReport> &summed() const { return summed_; }
  void keep_summed(std::vector<RangeErrorReport> all) { summed_ = std::move(all); }

 private:
  Count &of(int variable) {
    const auto at = static_cast<size_t>(variable);
    if (at >= of_variables_.size()) of_variables_.resize(at + 1);
    return of_variables_[at];
  }

  std::deque<Count> of_variables_;
  bool any_ = false;
  std::vector<RangeErrorReport> summed_;
};

/// Collective. What all ranks have counted, by variable of the schema; empty but on rank 0.
std::vector<RangeErrorReport> gather_range_errors(const Comm &comm, const RangeErrors &mine, const Schema &schema);

/// Local. A line on stderr for each: where values were clamped, which nothing else tells.
void warn_of(const std::string &path, const std::vector<RangeErrorReport> &range_errors);

}  // namespace sv
