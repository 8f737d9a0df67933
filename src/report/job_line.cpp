#include "report/job_line.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "report/amounts.hpp"

namespace sv {

namespace {

std::string duration(double seconds) {
  char text[32];
  if (seconds < 0.1)
    std::snprintf(text, sizeof text, "%.1f ms", 1000 * seconds);
  else
    std::snprintf(text, sizeof text, "%.*f s", seconds < 10 ? 2 : 1, seconds);
  return text;
}

constexpr size_t most_names = 3;

}  // namespace

void WrittenFiles::add(const std::string &path, int64_t size, bool is_complete) {
  ++files;
  bytes += size;
  if (!is_complete) ++incomplete;
  if (names.size() < most_names) names.push_back(path);
}

namespace {

std::string files_line(const WrittenFiles &written, const JobCost &cost) {
  std::string line = counted(written.files, "file") + ", " + amount_of(cost.bytes);
  if (written.incomplete > 0) line += ", " + std::to_string(written.incomplete) + " not complete";
  for (size_t i = 0; i < written.names.size(); ++i) line += (i == 0 ? ": " : ", ") + written.names[i];
  const auto more = written.files - static_cast<int64_t>(written.names.size());
  return more > 0 ? line + " and " + std::to_string(more) + " more" : line;
}

double share_of_run(const JobCost &cost) {
  return cost.run_seconds > 0 ? std::min(1.0, cost.call_seconds / cost.run_seconds) : 0;
}

std::string time_line(const JobCost &cost) {
  std::string line = duration(cost.call_seconds) + " in output calls";
  if (cost.call_seconds > 0)
    line += " (" + amount_of(std::llround(static_cast<double>(cost.bytes) / cost.call_seconds)) + "/s)";
  return line + ", " + std::to_string(std::lround(100 * share_of_run(cost))) + " % of the run";
}

/// The largest part of the time decides.
std::string advice_line(const WrittenFiles &written, const JobCost &cost) {
  constexpr double least_share = 0.02;  // as docs/overlap.md and the report have it
  constexpr int64_t small_bytes = 64 << 10, many_writes = 100;
  const double left = cost.call_seconds - cost.opening_seconds - cost.waiting_seconds;
  if (share_of_run(cost) < least_share) return "nothing to gain: output took less than 2 % of the run";
  if (cost.waiting_seconds > std::max(left, cost.opening_seconds))
    return duration(cost.waiting_seconds) +
           " of it waited for memory: a larger async.memory or more servers would help";
  if (cost.opening_seconds > left)
    return duration(cost.opening_seconds) + " of it opened and closed " + counted(written.files, "file") +
           ": fewer files, with more records each, would help";
  const bool writes_little = cost.writes >= many_writes && cost.bytes / cost.writes < small_bytes;
  if (writes_little && !cost.combines)
    return "writes had " + amount_of(cost.bytes / cost.writes) +
           " on average: combine: step would join those of a step";
  if (!cost.is_asynchronous)
    return "async: threads would write while the model computes, and save up to " + duration(left);
  return "sv-trace and sverdrup report show where the time goes";
}

}  // namespace

std::vector<std::string> job_lines(const WrittenFiles &written, const JobCost &cost) {
  if (written.files == 0) return {};
  return {files_line(written, cost), time_line(cost), advice_line(written, cost)};
}

}  // namespace sv
