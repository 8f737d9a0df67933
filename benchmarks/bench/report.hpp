// The printed table and the JSON document.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rounds.hpp"

namespace sv_bench {

struct Report;

/// The measured case, in words and for the JSON.
struct Case {
  std::string benchmark, title;
  nlohmann::json settings;  // an object: the workload's own options
  int ranks = 0;            // that take part; 0: those of the workload
  /// On rank 0: the workload's own part of the table and the document.
  std::function<void(const Report &report, std::string &table, nlohmann::json &document)> add = {};
  int64_t bytes = 0;  // that a run writes; 0: those of the workload's file
};

struct Report {
  int ranks() const { return what.ranks > 0 ? what.ranks : workload.team.ranks; }
  int64_t bytes() const { return what.bytes > 0 ? what.bytes : workload.schema.bytes(); }

  const Case &what;
  const Workload &workload;
  const Options &options;
  const std::vector<Peer> &peers;
  const std::vector<Result> &results;
  nlohmann::json environment;
};

/// {"benchmark", "case", "environment", "results": [], "missing": [...]}.
nlohmann::json without_results(const Report &report);
/// The whole: {"benchmark", "case", "environment", "reference", "results": [...], "missing": [...]}; times in seconds.
/// A count that was not taken is null; so are phases that a method does not distinguish.
nlohmann::json to_json(const Report &report);
/// The first lines of every table: the measured case, and the machine.
std::string heading(const Report &report);
/// Names of methods that could not run, and why; a line each.
std::string missing_lines(const Report &report);
/// Ratios to the floor, or to the first of a kind where that did not run.
std::string to_table(const Report &report);

/// By rank 0: prints the table, and writes the JSON where the user asked for it. Throws std::runtime_error.
void print_and_keep(const std::string &table, const nlohmann::json &document, const Options &options);
/// As printf; up to 255 characters.
std::string format(const char *pattern, ...) __attribute__((format(printf, 1, 2)));

/// Whether the ranks' accesses cover the file: otherwise methods would do less work than it seems, or more. Collective.
/// Throws std::runtime_error.
void require_whole_file(const Workload &workload);
using Measuring = std::function<std::vector<Result>()>;
/// Prints and keeps what `measuring` finds, which is collective. Collective. Throws std::runtime_error.
void measure(const Case &what, const Workload &workload, const std::vector<Peer> &peers, const Options &options,
             const Measuring &measuring);
/// Measures all selected peers and prints and keeps the results. Collective. Throws std::runtime_error.
void measure(const Case &what, const Workload &workload, const std::vector<Peer> &peers, const Options &options);

}  // namespace sv_bench
