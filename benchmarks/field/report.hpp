// What is shown and what is kept.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rounds.hpp"

namespace sv_bench {

struct Report {
  const Field &field;
  const Options &options;
  const std::vector<Peer> &peers;
  const std::vector<Result> &results;
  nlohmann::json environment;
};

/// {"benchmark", "case", "environment", "reference", "results": [...], "missing": [...]}; times in seconds. A count
/// that nobody took is null.
nlohmann::json to_json(const Report &report);
/// Ratios to the floor, or to the first of a kind where that did not run.
std::string to_table(const Report &report);

}  // namespace sv_bench
