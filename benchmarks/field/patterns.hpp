// The four write patterns of FMS (Yang, Ward, Evans 2020, Table 1), measured: how many files a field becomes, how long
// writing it takes, and what joining the pieces costs afterwards, in time and in memory.
#pragma once

#include <nlohmann/json.hpp>

#include "options.hpp"
#include "peer.hpp"

namespace sv_bench {

/// Collective. Prints the table; with --json, writes {"benchmark": "patterns", "case", "environment", "results":
/// [{"name", "pattern", "files", "seconds": {min, median, max}, "join": null or {"seconds": {...},
/// "peak_bytes_beyond"}}]}. Memory is the sum over all ranks, beyond what they had before. Throws std::runtime_error.
void run_patterns(const Block &block, const std::vector<Peer> &peers, const Options &options,
                  const nlohmann::json &environment);

}  // namespace sv_bench
