// The figures by which the methods of a loop are judged.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report.hpp"

namespace sv_bench {

/// Seconds: medians over the rounds, each of the slowest rank. A ratio has no value where its reference did not run.
struct Figures {
  std::string name;
  bool outputs = false;  // values leave the ranks
  double wall = 0, wall_min = 0, wall_max = 0;
  double compute_mean = 0, compute_max = 0, communication = 0;
  double blocked = 0, blocked_min = 0, blocked_max = 0;  // inside the output calls of all steps
  double drain = 0;                                      // from the end of the last step's to the end
  double open = 0, start = 0;                            // until values can be put; sv_init, not part of the wall
  double bytes_per_second = 0;                           // from the first step's output to the end
  std::optional<double> overhead;                        // beyond no_output
  std::optional<double> blocked_to_pack, wall_to_hidden, blocked_to_pnetcdf, wall_to_pnetcdf, overhead_to_pnetcdf,
      of_device;
  std::optional<double> equal_ranks_wall;  // with the servers' ranks computing, too
};

/// `device`: bytes per second, or 0.
std::vector<Figures> figures_of(const std::vector<Result> &results, int64_t bytes, double device);
nlohmann::json json_of(const Figures &figures, const Result &result);
std::string table_of(const std::vector<Figures> &all, const std::vector<Result> &results);

/// Runs the peers in turn, prints and keeps their figures. Collective over `all`; `workload` is null where nothing is
/// computed, but not on rank 0. Throws std::runtime_error.
void measure_figures(const Case &what, const Team &all, const Workload *workload, const std::vector<Peer> &peers,
                     const Options &options);

}  // namespace sv_bench
