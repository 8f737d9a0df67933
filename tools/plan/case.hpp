// A case: the output and input of a model, as `sv-bench … --describe` writes it (docs/prediction.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace sv_plan {

/// `count` variables that are alike, and stand one after the other in the file.
struct CaseVariable {
  sv::Index shape;  // slowest first, without records; the last two are divided among the ranks
  int64_t element_bytes = 8;
  int64_t count = 1, records = 0;  // 0: without records
  int64_t slab_bytes() const { return shape.product() * element_bytes; }
};

struct CaseFile {
  std::string name;
  bool reads = false;
  std::string reading;  // how, where the workload does not leave it to the configuration
  int64_t times = 1;
  std::vector<int64_t> after;  // steps, counted from 1, whose end its outputs come; none: evenly over the run
  std::vector<CaseVariable> variables;
  int64_t records() const;
  int64_t outputs() const;  // of all such files: each record is one
  int64_t bytes() const;    // of all values
};

struct Case {
  std::string workload;
  int ranks = 1, px = 0, py = 0;  // px x py: of the computing ranks, if there are so many
  int ranks_per_node = 1;
  int64_t steps = 1;
  double compute_seconds = 0;  // of a step
  std::vector<CaseFile> files;
};

/// Throws sv::Error: no such file, no JSON, or not what a case has.
Case read_case(const std::string &path);

/// Where the values of a file stand in a CDF file: variables without records, then the records.
class CaseExtents final : public sv::ExtentMap {
 public:
  explicit CaseExtents(const CaseFile &file);
  sv::Extent covering(int64_t offset_bytes) const override;
  /// Of the `number`-th of the variables that are alike; `record` is 0 without records.
  int64_t offset(size_t variable, int64_t number, int64_t record) const;

 private:
  struct Run {  // of variables alike
    int64_t begin, each, count;
    bool of_record;
  };
  std::vector<Run> runs_;  // those without records first
  std::vector<size_t> run_of_;
  int64_t header_ = 0, records_begin_ = 0, record_bytes_ = 0, records_ = 0;
};

}  // namespace sv_plan
