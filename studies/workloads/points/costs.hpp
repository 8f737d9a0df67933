// The further figures of a report about points.
#pragma once

#include "report.hpp"

namespace sv_bench {

/// Stretches that are contiguous in the file and in a rank's memory, of all ranks. Collective.
int64_t count_of_runs(const Workload &workload);

/// Adds to each result its ratios to the floor and to the block layout, each the median of the rounds' own ratios, and
/// what the methods know themselves: set-up, bytes per cell, parts of the time.
void add_point_costs(const Report &report, std::string &table, nlohmann::json &document);

}  // namespace sv_bench
