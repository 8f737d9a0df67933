#include "profile.hpp"

#include <sverdrup/sverdrup.h>

#include <array>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace sv_probe {

namespace {

using nlohmann::json;

std::string number(double value) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.4g", value);
  return buffer.data();
}

std::string exact(double value) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.10g", value);
  return buffer.data();
}

bool is_counted(const Key &key) { return key.name == "stripe_bytes" || key.name == "burst_bytes" || key.unit.empty(); }

std::string burst_text(const Burst &burst, const Options &options) {
  if (burst.fall.found) return "";
  const double bytes = static_cast<double>(burst.block_bytes) * static_cast<double>(burst.rates.size());
  if (options.burst_bytes == 0 || burst.rates.empty()) return "# burst_bytes: not looked for\n";
  return "# burst_bytes: no end of the rate within " + number(bytes / 1e9) + " GB\n";
}

std::string rows_text(const Measured &measured) {
  return measured.read_row.empty() ? "# read_row_seconds: not measured: built without netCDF\n" : "";
}

std::string today() {
  const std::time_t seconds = std::time(nullptr);
  std::tm parts{};
  std::array<char, 16> text{};
  gmtime_r(&seconds, &parts);
  std::strftime(text.data(), text.size(), "%Y-%m-%d", &parts);
  return text.data();
}

json policies_of(const Measured &m) {
  json all = json::array();
  for (const auto &[policy, samples] : m.written_policies)
    all.push_back({{"direct", policy.direct},
                   {"depth", policy.depth},
                   {"written_bytes_per_second", samples},
                   {"synced_bytes_per_second", m.synced_policies.at(policy)}});
  return all;
}

json curve_of(const Curve &curve, const char *count, const char *what) {
  json points = json::array();
  for (const auto &[n, samples] : curve) points.push_back({{count, n}, {what, samples}});
  return points;
}

}  // namespace

std::string profile_text(const std::vector<Key> &keys, const Team &team, const Options &options, const Run &run) {
  std::string text =
      "# Measured by sv-probe " + std::string(SV_VERSION) + ": " + std::to_string(team.size()) + " ranks on " +
      std::to_string(team.nodes()) + (team.nodes() == 1 ? " node" : " nodes") + ", a file in " + options.directory +
      ", " + std::to_string(run.rounds) + " rounds in " + number(run.seconds) + " s.\n" +
      "# Medians; in brackets the least, the middle and the largest sample. docs/prediction.md explains the keys.\n";
  for (const Key &key : keys) {
    text += "# " + key.how;
    if (!key.samples.empty())
      text += " [" + number(quantile(key.samples, 0)) + ", " + number(median(key.samples)) + ", " +
              number(quantile(key.samples, 1)) + "]";
    text += "\n" + key.name + ": " + (is_counted(key) ? exact(key.value) : number(key.value)) + "\n";
  }
  text += "directory: " + std::filesystem::absolute(options.directory).lexically_normal().string() +
          "\nmeasured: " + today() + "\n";
  return text + rows_text(run.measured) + burst_text(run.measured.burst, options);
}

std::string json_text(const std::vector<Key> &keys, const Team &team, const Options &options, const Run &run) {
  const Measured &m = run.measured;
  json out{{"version", SV_VERSION},          {"ranks", team.size()}, {"nodes", team.nodes()},
           {"directory", options.directory}, {"rounds", run.rounds}, {"seconds", run.seconds}};
  out["keys"] = json::array();
  for (const Key &key : keys)
    out["keys"].push_back(
        {{"name", key.name}, {"unit", key.unit}, {"value", key.value}, {"how", key.how}, {"samples", key.samples}});
  out["writers"] = curve_of(m.writers, "writers", "bytes_per_second");
  out["open"] = curve_of(m.open, "ranks", "seconds");
  out["put"] = curve_of(m.put, "ranks", "seconds");
  out["agreement"] = curve_of(m.agreement, "ranks", "seconds");
  out["ways"] = policies_of(m);
  out["burst"] = {
      {"writers", m.burst.writers}, {"block_bytes", m.burst.block_bytes}, {"bytes_per_second", m.burst.rates}};
  out["targets"] = {{"targets", m.stripes.targets}, {"stripe_bytes", m.stripes.bytes}, {"how", m.stripes.how}};
  return out.dump(1) + "\n";
}

}  // namespace sv_probe
