#include "configurations.hpp"
#include "config/configuration.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/error.hpp"
#include "base/json.hpp"
#include "case.hpp"
#include "forecast.hpp"
#include "input.hpp"
#include "machine.hpp"

namespace sv_plan {

namespace {

using nlohmann::json;
using sv::json_number;

std::string text_of(const json &value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// As the library reads its configuration; `stripes` is of the storage.
Configuration configuration_of(const json &object) {
  Configuration configuration;
  std::vector<std::string> options;
  for (const auto &[key, value] : object.items()) {
    if (key != "stripes") {
      options.push_back(key + "=" + text_of(value));
      continue;
    }
    const std::string text = text_of(value);
    configuration.stripes = std::atoi(text.c_str());
    if (configuration.stripes < 1 || std::to_string(configuration.stripes) != text)
      throw sv::Error(sv::Status::config, "stripes: '" + text + "' is no number of targets", "Give 1 or more");
  }
  configuration.settings = sv::load_settings(sv::ConfigText{}, {}, options);
  const sv::StripeRequest &stripes = configuration.settings.file.stripes;
  if (stripes.count == sv::StripeRequest::Count::given && configuration.stripes == 0) configuration.stripes = stripes.n;
  return configuration;
}

const char *word_of(Writing writing) {
  return writing == Writing::calls ? "calls" : writing == Writing::threads ? "threads" : "servers";
}

std::string forecast_json(const std::vector<CaseCounts> &alternatives, const MachineProfile &profile,
                          const CountedCodec &codec) {
  const sv::Machine machine = compressing(profile.machine, codec);
  const Forecast f = forecast(alternatives, machine);
  const auto on = [&](double factor) { return forecast(alternatives, faster(machine, factor)).total; };
  double bytes = 0;  // in the files
  for (const FileCounts &file : alternatives.front().files)
    for (const FieldCounts &field : file.fields)
      bytes += file.times * field.number * static_cast<double>(field.counts.bytes) *
               (field.counts.most_compressed_bytes > 0 ? machine.compress_ratio : 1);
  return sv::json_object({{"seconds", sv::json_object({{"open", json_number(f.open)},
                                                       {"pack", json_number(f.pack)},
                                                       {"compress", json_number(f.compress)},
                                                       {"send", json_number(f.send)},
                                                       {"write", json_number(f.write)},
                                                       {"read", json_number(f.read)},
                                                       {"close", json_number(f.close)},
                                                       {"total", json_number(f.total)},
                                                       {"low", json_number(on(profile.band))},
                                                       {"high", json_number(on(1 / profile.band))},
                                                       {"blocked", json_number(f.blocked)}})},
                          {"bytes", json_number(std::floor(bytes))},
                          {"codec", codec_json(codec)},
                          {"limited_by", sv::json_text(f.limit)},
                          {"written_by", sv::json_text(word_of(f.writing))},
                          {"writers", json_number(int64_t{f.writers})},
                          {"cores", json_number(int64_t{f.cores})}});
}

json read_list(const std::string &path) {
  const json list = json::parse(input_text(path, "the list of configurations", "Name a JSON array of configurations"),
                                nullptr, false);
  bool good = list.is_array();
  for (const json &entry : good ? list : json::array()) good = good && entry.is_object();
  if (!good)
    throw sv::Error(sv::Status::config, "is no JSON array of objects",
                    R"(Write, for example, [{"route": "serial"}, {}])")
        .in_file(path);
  return list;
}

}  // namespace

std::string predicted_configurations(const Options &options) {
  const Case what = read_case(options.case_path);
  const MachineProfile profile = read_machine(options.machine);
  std::vector<std::string> results;
  for (const json &entry : read_list(options.configurations)) {
    try {
      const Configuration configuration = configuration_of(entry);
      const CountedCodec codec =
          counted_codec(configuration.settings.file.chunks, profile.codecs, options.compress_ratio);
      std::vector<CaseCounts> alternatives;
      for (const Writing writing : writings_of(configuration.settings.servers))
        alternatives.push_back(counts_of(what, configuration, profile.machine, writing));
      results.push_back(forecast_json(alternatives, profile, codec));
    } catch (const sv::Error &error) {
      results.push_back(sv::json_object({{"refused", sv::json_text(error.what())}}));
    }
  }
  return sv::json_array(results) + "\n";
}

}  // namespace sv_plan
