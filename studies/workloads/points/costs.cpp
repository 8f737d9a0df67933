#include "costs.hpp"

namespace sv_bench {

namespace {

using nlohmann::json;

const Result *result_named(const Report &report, const std::string &name) {
  for (const Result &result : report.results) {
    if (result.name == name) return &result;
  }
  return nullptr;
}

/// Of every round; methods take turns, so that what drifts hits both.
json paired_ratio(const Result &result, const Result *reference) {
  if (reference == nullptr) return nullptr;
  Result ratios;
  for (size_t round = 0; round < result.seconds.size(); ++round)
    ratios.seconds.push_back(result.seconds[round] / reference->seconds[round]);
  return {{"min", ratios.min()}, {"median", ratios.median()}, {"max", ratios.max()}};
}

std::string three(const json &ratio) {
  if (ratio.is_null()) return "-";
  return format("%.2f (%.2f-%.2f)", ratio.at("median").get<double>(), ratio.at("min").get<double>(),
                ratio.at("max").get<double>());
}

std::string one(const json &entry, const char *key, const char *pattern) {
  if (!entry.contains(key)) return "-";
  char text[32];
  std::snprintf(text, sizeof text, pattern, entry.at(key).get<double>());
  return text;
}

// From the library's summary, which contains the times of all its runs, of the slowest rank in each.
json parts_of(const json &summary, double runs) {
  json parts = json::object();
  for (const char *phase : {"open", "close"})
    parts["open"] = parts.value("open", 0.0) + summary.at("phases").at(phase).at("max").get<double>() / runs;
  for (const auto &[name, step] : summary.at("writing").items()) parts[name] = step.at("max").get<double>() / runs;
  return parts;
}

std::string parts_line(const json &entry) {
  if (!entry.contains("parts")) return {};
  std::string text = format("%-20s", entry.at("name").get<std::string>().c_str());
  for (const auto &[part, seconds] : entry.at("parts").items())
    text += format("  %s %.4f", part.c_str(), seconds.get<double>());
  return text + "\n";
}

}  // namespace

int64_t count_of_runs(const Workload &workload) {
  const std::vector<int64_t> &cells = workload.points->cells();
  int64_t runs = 0;
  for (size_t i = 0; i < cells.size(); ++i) runs += i == 0 || cells[i] != cells[i - 1] + 1 ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &runs, 1, MPI_INT64_T, MPI_SUM, workload.team.comm);
  return runs;
}

void add_point_costs(const Report &report, std::string &table, json &document) {
  const Result *const floor = result_named(report, "floor"), *const block = result_named(report, "sverdrup.block");
  table += format("\n%-20s %20s %20s %12s %14s\n", "ratios of rounds", "to floor", "to sverdrup.block", "set-up, s",
                  "bytes per cell");
  std::string parts;
  for (size_t i = 0; i < report.results.size(); ++i) {
    const Result &result = report.results[i];
    json &entry = document["results"][i];
    if (!result.more.is_null()) entry.update(result.more);
    if (entry.contains("summary")) entry["parts"] = parts_of(entry["summary"], entry["runs"].get<double>());
    entry["to_floor"] = paired_ratio(result, floor);
    entry["to_block"] = paired_ratio(result, block);
    table += format("%-20s %20s %20s %12s %14s\n", result.name.c_str(), three(entry["to_floor"]).c_str(),
                    three(entry["to_block"]).c_str(), one(entry, "setup_seconds", "%.4f").c_str(),
                    one(entry, "bytes_per_cell", "%.1f").c_str());
    parts += parts_line(entry);
  }
  if (!parts.empty())
    table += "\nseconds: PnetCDF, of rank 0, a primary and a worker; Sverdrup, of the slowest rank in each\n" + parts;
}

}  // namespace sv_bench
