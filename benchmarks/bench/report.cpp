#include "report.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include "environment.hpp"

namespace sv_bench {

namespace {

using nlohmann::json;

json or_null(const std::optional<int64_t> &value) { return value ? json(*value) : json(); }

json phases_of(const Result &result) {
  if (result.phases.empty()) return nullptr;
  json phases{{"open", median_phase(result, &Phases::open)},
              {result.reads ? "read" : "write", median_phase(result, &Phases::transfer)},
              {"close", median_phase(result, &Phases::close)}};
  const double read = median_phase(result, &Phases::read), compute = median_phase(result, &Phases::compute);
  if (read > 0) phases["read"] = read;
  if (compute > 0) phases["compute"] = compute;
  return phases;
}

// The same of each round.
json phase_rounds_of(const Result &result) {
  if (result.phases.empty()) return nullptr;
  const auto each = [&](double Phases::*phase) {
    json seconds = json::array();
    for (const Phases &phases : result.phases) seconds.push_back(phases.*phase);
    return seconds;
  };
  json rounds{{"open", each(&Phases::open)}, {"close", each(&Phases::close)}, {"read", each(&Phases::read)}};
  rounds[result.reads ? "read" : "write"] = each(&Phases::transfer);
  return rounds;
}

json json_of(const Result &result) {
  json entry{{"name", result.name},
             {"seconds", {{"min", result.min()}, {"median", result.median()}, {"max", result.max()}}},
             {"bytes", or_null(result.traffic.bytes)},
             {"writes", or_null(result.traffic.writes)},
             {"messages", or_null(result.traffic.messages)}};
  if (result.more.is_object()) entry.update(result.more);
  if (result.memory) {
    entry["memory"] = {{"baseline_bytes", result.memory->baseline_bytes},
                       {"peak_bytes_beyond", result.memory->peak_bytes_beyond},
                       {"pool_bytes", result.memory->pool_bytes}};
    return entry;
  }
  entry["cold_seconds"] = result.cold_seconds;
  entry["rounds"] = result.seconds;
  entry["phases"] = phases_of(result);
  entry["phase_rounds"] = phase_rounds_of(result);
  entry["verified"] = result.verified ? json(*result.verified) : json();
  if (result.reads) entry["reads"] = or_null(result.system_reads);
  return entry;
}

// The floor method for writing or reading, if it ran; otherwise the first method of its kind.
const Result *reference_of(const std::vector<Result> &results, bool reads) {
  const Result *first = nullptr;
  for (const char *name : {"floor", "floor.window", "read.pread", "read.floor.window"}) {
    for (const Result &result : results) {
      if (result.reads == reads && result.name == name) return &result;
      if (result.reads == reads && first == nullptr) first = &result;
    }
  }
  return first;
}

std::string shown(const std::optional<int64_t> &value) { return value ? std::to_string(*value) : "-"; }

std::string rows(const Report &report, bool reads) {
  const Result *reference = reference_of(report.results, reads);
  if (reference == nullptr) return {};
  std::string text = format("\n%-28s %8s %8s %8s %8s %7s %8s %8s %8s %8s %9s %9s\n", reads ? "reading" : "writing",
                            "median s", "min", "max", "cold", "ratio", "MB/s", "open", reads ? "read" : "write",
                            "close", reads ? "reads" : "writes", "messages");
  for (const Result &r : report.results) {
    if (r.reads != reads) continue;
    const double rate = static_cast<double>(report.bytes()) / 1e6 / r.median();
    text += format("%-28s %8.4f %8.4f %8.4f %8.4f %7.2f %8.0f", r.name.c_str(), r.median(), r.min(), r.max(),
                   r.cold_seconds, r.median() / reference->median(), rate);
    for (const auto phase : {&Phases::open, &Phases::transfer, &Phases::close})
      text += r.phases.empty() ? format(" %8s", "-") : format(" %8.4f", median_phase(r, phase));
    text += format(" %9s %9s\n", shown(reads ? r.system_reads : r.traffic.writes).c_str(),
                   shown(r.traffic.messages).c_str());
  }
  return text + format("ratio: to %s, which drifted by %+.0f %% during the run\n", reference->name.c_str(),
                       100 * (reference->drift() - 1));
}

// The pool and 2 MiB per rank.
int64_t limit_bytes(const Report &report, const Memory &memory) {
  constexpr int64_t bytes_per_rank = 2 << 20;
  return memory.pool_bytes + bytes_per_rank * report.workload.team.ranks;
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

std::string format(const char *pattern, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(text, sizeof text, pattern, arguments);
  va_end(arguments);
  return text;
}

json without_results(const Report &report) {
  json missing = json::array();
  for (const Peer &peer : report.peers) {
    if (!peer.missing.empty()) missing.push_back({{"name", peer.name}, {"why", peer.missing}});
  }
  const Options &options = report.options;
  json settings = report.what.settings;
  settings["ranks"] = report.ranks();
  settings["bytes"] = report.bytes();
  settings["directory"] = options.directory;
  settings["device"] = options.device.empty() ? json() : json(options.device);
  settings["durable"] = options.durable;
  settings["repeat"] = options.repeat;
  settings["settings"] = options.settings;
  return {{"benchmark", report.what.benchmark},
          {"case", settings},
          {"environment", report.environment},
          {"results", json::array()},
          {"missing", missing}};
}

json to_json(const Report &report) {
  json all = without_results(report);
  for (const Result &result : report.results) all["results"].push_back(json_of(result));
  const Result *reference = reference_of(report.results, false);
  if (reference == nullptr) reference = reference_of(report.results, true);
  if (reference != nullptr) all["reference"] = {{"name", reference->name}, {"drift", reference->drift()}};
  return all;
}

std::string heading(const Report &report) {
  const json &environment = report.environment;
  const auto text_of = [&environment](const char *key) { return environment.at(key).get<std::string>(); };
  std::string text = format("%s, %.3g MB, on %d ranks; %s; ", report.what.title.c_str(),
                            static_cast<double>(report.bytes()) / 1e6, report.ranks(), text_of("file_system").c_str());
  if (!report.options.device.empty()) text += "device of " + report.options.device + "; ";
  return text + text_of("mpi") + ", MPI-IO: " + text_of("mpi_io") + "\n";
}

std::string missing_lines(const Report &report) {
  std::string text;
  for (const Peer &peer : report.peers) {
    if (!peer.missing.empty()) text += peer.name + ": " + peer.missing + "\n";
  }
  return text;
}

std::string to_table(const Report &report) {
  return heading(report) + (report.options.memory ? memory_rows(report) : rows(report, false) + rows(report, true)) +
         missing_lines(report);
}

void print_and_keep(const std::string &table, const json &document, const Options &options) {
  std::cout << table << std::flush;
  if (options.json.empty()) return;
  std::ofstream file(options.json);
  file << document.dump(2) << "\n";
  if (!file.flush()) throw std::runtime_error("cannot write '" + options.json + "'");
}

void require_whole_file(const Workload &workload) {
  int64_t bytes = 0;
  for (const Box &box : workload.boxes()) bytes += box.bytes();
  MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_INT64_T, MPI_SUM, workload.team.comm);
  if (bytes != workload.schema.bytes())
    throw std::runtime_error("the ranks' accesses have " + std::to_string(bytes) + " bytes, the file's variables " +
                             std::to_string(workload.schema.bytes()));
}

void measure(const Case &what, const Workload &workload, const std::vector<Peer> &peers, const Options &options,
             const Measuring &measuring) {
  if (std::any_of(peers.begin(), peers.end(), [](const Peer &peer) { return !peer.reads; }))
    require_whole_file(workload);
  const std::string mpi_io = mpi_io_component(workload.team.comm, options.directory);
  const std::vector<Result> results = measuring();
  if (workload.team.rank != 0) return;
  const Report report{what, workload, options, peers, results, environment(mpi_io, options.directory)};
  std::string table = to_table(report);
  json document = to_json(report);
  if (what.add && !options.memory) what.add(report, table, document);
  print_and_keep(table, document, options);
}

void measure(const Case &what, const Workload &workload, const std::vector<Peer> &peers, const Options &options) {
  measure(what, workload, peers, options, [&] {
    return options.memory ? measure_memory(workload, peers, options) : measure_time(workload, peers, options);
  });
}

}  // namespace sv_bench
