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

std::string job_line(const WrittenFiles &written, const JobCost &cost) {
  if (written.files == 0) return "";
  std::string line =
      counted(written.files, "file") + ", " + amount_of(cost.bytes) + " in " + duration(cost.call_seconds);
  if (cost.call_seconds > 0)
    line += " (" + amount_of(std::llround(static_cast<double>(cost.bytes) / cost.call_seconds)) + "/s)";
  const double share = cost.run_seconds > 0 ? std::min(1.0, cost.call_seconds / cost.run_seconds) : 0;
  line += ", " + std::to_string(std::lround(100 * share)) + " % of the run";
  if (written.incomplete > 0) line += ", " + std::to_string(written.incomplete) + " not complete";
  for (size_t i = 0; i < written.names.size(); ++i) line += (i == 0 ? ": " : ", ") + written.names[i];
  const auto more = written.files - static_cast<int64_t>(written.names.size());
  return more > 0 ? line + " and " + std::to_string(more) + " more" : line;
}

}  // namespace sv
