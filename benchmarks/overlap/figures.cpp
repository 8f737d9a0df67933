#include "figures.hpp"

#include <algorithm>

#include "environment.hpp"
#include "preload.hpp"

namespace sv_bench {

namespace {

using nlohmann::json;

std::vector<double> each(const Result &result, double Phases::*phase) {
  std::vector<double> seconds;
  for (const Phases &round : result.phases) seconds.push_back(round.*phase);
  return seconds;
}
double median(const Result &result, double Phases::*phase) { return median_of(each(result, phase)); }
double least(const std::vector<double> &values) { return *std::min_element(values.begin(), values.end()); }
double most(const std::vector<double> &values) { return *std::max_element(values.begin(), values.end()); }

std::optional<double> ratio(double value, double reference) {
  if (reference <= 0) return {};
  return value / reference;
}

const Figures *find(const std::vector<Figures> &all, const std::string &name) {
  const auto found = std::find_if(all.begin(), all.end(), [&name](const Figures &f) { return f.name == name; });
  return found == all.end() ? nullptr : &*found;
}

constexpr const char *on_all_ranks = ".all_ranks";

bool ends_with(const std::string &text, const std::string &end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

Figures own_figures(const Result &result, int64_t bytes, double device) {
  Figures f;
  f.name = result.name;
  f.outputs = result.name.rfind("sverdrup", 0) == 0 || result.name.rfind("pnetcdf", 0) == 0 ||
              result.name.rfind("gather", 0) == 0;
  f.wall = median_of(result.whole_seconds);
  f.wall_min = least(result.whole_seconds);
  f.wall_max = most(result.whole_seconds);
  f.compute_mean = median_of(result.mean_compute_seconds);
  f.compute_max = median(result, &Phases::compute);
  f.communication = median(result, &Phases::communication);
  const std::vector<double> blocked = each(result, &Phases::transfer);
  f.blocked = median_of(blocked);
  f.blocked_min = least(blocked);
  f.blocked_max = most(blocked);
  f.drain = median(result, &Phases::close);
  f.open = median(result, &Phases::open);
  f.start = median(result, &Phases::start);
  if (!f.outputs) return f;
  f.bytes_per_second = static_cast<double>(bytes) / median(result, &Phases::output);
  f.of_device = ratio(f.bytes_per_second, device);
  return f;
}

// A method with servers has all ranks already.
void add_equal_ranks(Figures &f, const std::vector<Figures> &all) {
  const Figures *equal = f.name.find(".servers") != std::string::npos ? &f : find(all, f.name + on_all_ranks);
  if (equal != nullptr) f.equal_ranks_wall = equal->wall;
}

json or_null(const std::optional<double> &value) { return value ? json(*value) : json(); }

std::string shown(const std::optional<double> &value, const char *pattern) {
  if (!value) return "-";
  char text[32];
  std::snprintf(text, sizeof text, pattern, *value);
  return text;
}

// In MiB: all, and of that shared.
std::string memory_of(const Result &result, const char *whose) {
  const json &found = result.more.at("resident").at(whose);
  if (found.is_null()) return "-";
  constexpr double mib = 1048576;
  return format("%.0f (%.0f)", found.at("bytes").get<double>() / mib, found.at("shared_bytes").get<double>() / mib);
}

}  // namespace

std::vector<Figures> figures_of(const std::vector<Result> &results, int64_t bytes, double device) {
  std::vector<Figures> all;
  for (const Result &result : results) all.push_back(own_figures(result, bytes, device));
  for (Figures &f : all) {
    const std::string suffix = ends_with(f.name, on_all_ranks) ? on_all_ranks : "";
    if (suffix.empty()) add_equal_ranks(f, all);
    const Figures *nothing = find(all, "no_output" + suffix), *pack = find(all, "pack" + suffix);
    if (nothing != nullptr) f.overhead = f.wall - nothing->wall;
    if (!f.outputs) continue;
    if (pack != nullptr) f.blocked_to_pack = ratio(f.blocked, pack->blocked);
    if (nothing != nullptr) f.wall_to_hidden = ratio(f.wall, nothing->wall + f.drain);
    const Figures *pnetcdf = find(all, "pnetcdf" + suffix);
    if (pnetcdf == nullptr) continue;
    f.blocked_to_pnetcdf = ratio(f.blocked, pnetcdf->blocked);
    f.wall_to_pnetcdf = ratio(f.wall, pnetcdf->wall);
    if (nothing != nullptr) f.overhead_to_pnetcdf = ratio(*f.overhead, pnetcdf->wall - nothing->wall);
  }
  return all;
}

json json_of(const Figures &f, const Result &result) {
  json entry = result.more;
  entry["name"] = f.name;
  entry["seconds"] = {{"min", f.wall_min}, {"median", f.wall}, {"max", f.wall_max}};
  entry["rounds"] = result.whole_seconds;
  entry["compute"] = {{"mean", f.compute_mean}, {"max", f.compute_max}};
  entry["communication"] = f.communication;
  entry["blocked"] = {{"min", f.blocked_min}, {"median", f.blocked}, {"max", f.blocked_max}};
  entry["drain"] = f.drain;
  entry["phases"] = {{"open", f.open}, {"compute", f.compute_max}, {"write", f.blocked}, {"close", f.drain}};
  entry["open"] = f.open;
  entry["start"] = f.start;
  entry["bytes_per_second"] = f.outputs ? json(f.bytes_per_second) : json();
  entry["of_device"] = or_null(f.of_device);
  entry["overhead"] = or_null(f.overhead);
  entry["equal_ranks_seconds"] = or_null(f.equal_ranks_wall);
  entry["ratios"] = {{"blocked_to_pack", or_null(f.blocked_to_pack)},
                     {"wall_to_no_output_and_drain", or_null(f.wall_to_hidden)},
                     {"blocked_to_pnetcdf", or_null(f.blocked_to_pnetcdf)},
                     {"wall_to_pnetcdf", or_null(f.wall_to_pnetcdf)},
                     {"overhead_to_pnetcdf", or_null(f.overhead_to_pnetcdf)}};
  entry["verified"] = result.verified ? json(*result.verified) : json();
  const Traffic &traffic = result.traffic;
  entry["bytes"] = traffic.bytes ? json(*traffic.bytes) : json();
  entry["writes"] = traffic.writes ? json(*traffic.writes) : json();
  entry["messages"] = traffic.messages ? json(*traffic.messages) : json();
  entry["cold_seconds"] = result.cold_seconds;
  return entry;
}

std::string table_of(const std::vector<Figures> &all, const std::vector<Result> &results) {
  std::string text = format("\n%-30s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s\n", "median seconds", "wall", "min",
                            "max", "compute", "slowest", "halos", "blocked", "min", "max", "drain", "start");
  for (const Figures &f : all)
    text += format("%-30s %8.3f %8.3f %8.3f %8.3f %8.3f %8.3f %8.4f %8.4f %8.4f %8.4f %8.3f\n", f.name.c_str(), f.wall,
                   f.wall_min, f.wall_max, f.compute_mean, f.compute_max, f.communication, f.blocked, f.blocked_min,
                   f.blocked_max, f.drain, f.start);
  text += format("\n%-30s %9s %9s %9s %9s %9s %9s %8s %8s %9s %15s %15s\n", "ratios", "blocked/", "wall/no", "blocked/",
                 "wall/", "overhead", "overhead/", "MB/s", "of", "equal", "clients' MiB", "servers' MiB");
  text += format("%-30s %9s %9s %9s %9s %9s %9s %8s %8s %9s %15s %15s\n", "", "pack", "out+drain", "PnetCDF", "PnetCDF",
                 "s", "PnetCDF", "", "device", "ranks, s", "(shared)", "(shared)");
  for (size_t i = 0; i < all.size(); ++i) {
    const Figures &f = all[i];
    const std::optional<double> rate = ratio(f.bytes_per_second, f.outputs ? 1e6 : 0);
    text += format("%-30s %9s %9s %9s %9s %9s %9s %8s %8s %9s %15s %15s\n", f.name.c_str(),
                   shown(f.blocked_to_pack, "%.2f").c_str(), shown(f.wall_to_hidden, "%.3f").c_str(),
                   shown(f.blocked_to_pnetcdf, "%.4f").c_str(), shown(f.wall_to_pnetcdf, "%.3f").c_str(),
                   shown(f.overhead, "%.3f").c_str(), shown(f.overhead_to_pnetcdf, "%.3f").c_str(),
                   shown(rate, "%.0f").c_str(), shown(f.of_device, "%.3f").c_str(),
                   shown(f.equal_ranks_wall, "%.3f").c_str(), memory_of(results[i], "clients").c_str(),
                   memory_of(results[i], "servers").c_str());
  }
  return text;
}

void measure_figures(const Case &what, const Team &all, const Workload *workload, const std::vector<Peer> &peers,
                     const Options &options) {
  const std::string mpi_io = mpi_io_component(all.comm, options.directory);
  const std::vector<Result> results = take_turns(all, peers, false, options, [] {});
  if (all.rank != 0) return;
  const Report report{what, *workload, options, peers, results, environment(mpi_io, options.directory)};
  const std::vector<Figures> figures = figures_of(results, report.bytes(), device_rate());
  json document = without_results(report);
  if (!results.empty()) document["reference"] = {{"name", results[0].name}, {"drift", results[0].drift()}};
  for (size_t i = 0; i < figures.size(); ++i) document["results"].push_back(json_of(figures[i], results[i]));
  std::string table = heading(report) + table_of(figures, results) + missing_lines(report);
  if (what.add) what.add(report, table, document);
  print_and_keep(table, document, options);
}

}  // namespace sv_bench
