// What is shown and what is kept.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rounds.hpp"

namespace sv_bench {

/// What is measured, in words and for the JSON.
struct Case {
  std::string benchmark, title;
  nlohmann::json settings;  // an object: what the workload's own options say
  bool memory = false;      // measures memory instead of time
};

struct Report {
  const Case &what;
  const Workload &workload;
  const Options &options;
  const std::vector<Peer> &peers;
  const std::vector<Result> &results;
  nlohmann::json environment;
};

/// {"benchmark", "case", "environment", "reference", "results": [...], "missing": [...]}; times in seconds. A count
/// that nobody took is null; so are phases that a method does not tell apart.
nlohmann::json to_json(const Report &report);
/// Ratios to the floor, or to the first of a kind where that did not run.
std::string to_table(const Report &report);

/// Measures all selected peers and prints and keeps the results. Collective. Throws std::runtime_error.
void measure(const Case &what, const Workload &workload, const std::vector<Peer> &peers, const Options &options);

}  // namespace sv_bench
