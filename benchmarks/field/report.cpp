#include "report.hpp"

#include <cstdarg>
#include <cstdio>

namespace sv_bench {

namespace {

using nlohmann::json;

json or_null(const std::optional<int64_t> &value) { return value ? json(*value) : json(); }

json json_of(const Result &result) {
  json entry{{"name", result.name},
             {"seconds", {{"min", result.min()}, {"median", result.median()}, {"max", result.max()}}},
             {"bytes", or_null(result.traffic.bytes)},
             {"writes", or_null(result.traffic.writes)},
             {"messages", or_null(result.traffic.messages)}};
  if (result.memory) {
    entry["memory"] = {{"baseline_bytes", result.memory->baseline_bytes},
                       {"peak_bytes_beyond", result.memory->peak_bytes_beyond},
                       {"pool_bytes", result.memory->pool_bytes}};
    return entry;
  }
  entry["cold_seconds"] = result.cold_seconds;
  entry["rounds"] = result.seconds;
  entry["verified"] = result.verified ? json(*result.verified) : json();
  if (result.reads) entry["reads"] = or_null(result.system_reads);
  return entry;
}

// The floor of writing or of reading, if it ran; otherwise the first of its kind.
const Result *reference_of(const std::vector<Result> &results, bool reads) {
  const Result *reference = nullptr;
  for (const Result &result : results) {
    if (result.reads != reads) continue;
    if (reference == nullptr || result.name == (reads ? "read.pread" : "floor")) reference = &result;
  }
  return reference;
}

std::string format(const char *pattern, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(text, sizeof text, pattern, arguments);
  va_end(arguments);
  return text;
}

std::string shown(const std::optional<int64_t> &value) { return value ? std::to_string(*value) : "-"; }

std::string rows(const Report &report, bool reads) {
  const Result *reference = reference_of(report.results, reads);
  if (reference == nullptr) return {};
  std::string text = format("\n%-20s %8s %8s %8s %8s %7s %8s %9s %9s\n", reads ? "reading" : "writing", "median s",
                            "min", "max", "cold", "ratio", "MB/s", reads ? "reads" : "writes", "messages");
  for (const Result &r : report.results) {
    if (r.reads != reads) continue;
    const double rate = static_cast<double>(report.field.bytes()) / 1e6 / r.median();
    text += format("%-20s %8.3f %8.3f %8.3f %8.3f %7.2f %8.0f %9s %9s\n", r.name.c_str(), r.median(), r.min(), r.max(),
                   r.cold_seconds, r.median() / reference->median(), rate,
                   shown(reads ? r.system_reads : r.traffic.writes).c_str(), shown(r.traffic.messages).c_str());
  }
  return text + format("ratio: to %s, which drifted by %+.0f %% during the run\n", reference->name.c_str(),
                       100 * (reference->drift() - 1));
}

// The pool and 2 MiB per rank.
int64_t limit_bytes(const Report &report, const Memory &memory) {
  constexpr int64_t bytes_per_rank = 2 << 20;
  return memory.pool_bytes + bytes_per_rank * report.field.px * report.field.py;
}

std::string memory_rows(const Report &report) {
  std::string text = format("\n%-20s %12s %12s %12s\n", "memory, MiB", "peak", "of that pool", "limit");
  constexpr double mib = 1048576;
  for (const Result &r : report.results) {
    text += format(
        "%-20s %12.1f %12.1f %12.1f\n", r.name.c_str(), static_cast<double>(r.memory->peak_bytes_beyond) / mib,
        static_cast<double>(r.memory->pool_bytes) / mib, static_cast<double>(limit_bytes(report, *r.memory)) / mib);
  }
  return text +
         "peak: sum of PSS over all ranks, beyond what they had with their field; limit: the pool and 2 MiB per rank\n";
}

}  // namespace

json to_json(const Report &report) {
  const Field &field = report.field;
  json results = json::array(), missing = json::array();
  for (const Result &result : report.results) results.push_back(json_of(result));
  for (const Peer &peer : report.peers) {
    if (!peer.missing.empty()) missing.push_back({{"name", peer.name}, {"why", peer.missing}});
  }
  const Result *reference = reference_of(report.results, false);
  if (reference == nullptr) reference = reference_of(report.results, true);
  const Options &options = report.options;
  json all{{"benchmark", "field"},
           {"case",
            {{"shape", field.shape},
             {"layout", {field.px, field.py}},
             {"ranks", field.px * field.py},
             {"type", field.type.name},
             {"bytes", field.bytes()},
             {"directory", options.directory},
             {"device", options.device.empty() ? json() : json(options.device)},
             {"repeat", options.repeat},
             {"settings", options.settings}}},
           {"environment", report.environment},
           {"results", results},
           {"missing", missing}};
  if (reference != nullptr) all["reference"] = {{"name", reference->name}, {"drift", reference->drift()}};
  return all;
}

std::string to_table(const Report &report) {
  const Field &field = report.field;
  const json &environment = report.environment;
  const auto text_of = [&environment](const char *key) { return environment.at(key).get<std::string>(); };
  std::string text =
      format("%lldx%lldx%lld %s, %.0f MB, on %dx%d ranks; %s; ", static_cast<long long>(field.shape[0]),
             static_cast<long long>(field.shape[1]), static_cast<long long>(field.shape[2]), field.type.name.c_str(),
             static_cast<double>(field.bytes()) / 1e6, field.px, field.py, text_of("file_system").c_str());
  if (!report.options.device.empty()) text += "device of " + report.options.device + "; ";
  text += text_of("mpi") + ", MPI-IO: " + text_of("mpi_io") + "\n";
  text += report.options.memory ? memory_rows(report) : rows(report, false) + rows(report, true);
  for (const Peer &peer : report.peers) {
    if (!peer.missing.empty()) text += peer.name + ": " + peer.missing + "\n";
  }
  return text;
}

}  // namespace sv_bench
