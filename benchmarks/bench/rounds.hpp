// The measurement: all methods in turn, again and again, so that what drifts hits all alike.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "method.hpp"
#include "options.hpp"

namespace sv_bench {

struct Memory {
  int64_t baseline_bytes, peak_bytes_beyond, pool_bytes;  // sums over all ranks
};

struct Result {
  std::string name;
  bool reads = false;
  std::vector<double> seconds;               // of each round: the slowest rank
  std::vector<Phases> phases;                // likewise, each of the slowest rank in it
  std::vector<double> whole_seconds;         // of the phases together, of the slowest rank
  std::vector<double> mean_compute_seconds;  // of the ranks that computed
  double cold_seconds = 0;                   // of the very first run
  Traffic traffic;
  std::optional<int64_t> system_reads;
  std::optional<bool> verified;
  std::optional<Memory> memory;
  nlohmann::json more;

  double median() const;
  double min() const;
  double max() const;
  /// Median of the last half of the rounds to that of the first half.
  double drift() const;
};

/// The wall time of one run, from where the first rank begins to where the last one has ended; where ranks share no
/// clock, that of the slowest. Collective.
double timed(const Team &team, const std::function<void()> &run);
double median_of(std::vector<double> values);
/// Over the rounds; 0 if the method reports no phases.
double median_phase(const Result &result, double Phases::*phase);
/// Of the file that reading methods read.
std::string input_path(const Options &options);

/// Collective over the team. The methods that write (or read) in turn; the results are complete on rank 0 only.
/// `prepare` is called when all are made. Throws std::runtime_error.
std::vector<Result> take_turns(const Team &team, const std::vector<Peer> &peers, bool reads, const Options &options,
                               const std::function<void()> &prepare);
/// Collective. The results are complete on rank 0 only. Throws std::runtime_error.
std::vector<Result> measure_time(const Workload &workload, const std::vector<Peer> &peers, const Options &options);
/// Each method alone; all ranks on one node. No times that could be compared.
std::vector<Result> measure_memory(const Workload &workload, const std::vector<Peer> &peers, const Options &options);

}  // namespace sv_bench
