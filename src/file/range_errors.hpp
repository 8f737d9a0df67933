// Values of a file that did not fit the type to which they were converted: each rank counts them, and the closing of
// the file reports them once.
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
  /// The counts of all ranks together, once summed; on rank 0.
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

/// Collective. The counts of all ranks, by variable of the schema; empty except on rank 0.
std::vector<RangeErrorReport> gather_range_errors(const Comm &comm, const RangeErrors &mine, const Schema &schema);

/// Local. Prints a line on stderr for each variable with clamped values, which no other message reports.
void warn_of(const std::string &path, const std::vector<RangeErrorReport> &range_errors);

}  // namespace sv
