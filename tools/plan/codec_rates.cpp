#include "codec_rates.hpp"

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "base/error.hpp"
#include "base/json.hpp"
#include "codec/deflate_libraries.hpp"
#include "config/profile_lines.hpp"

namespace sv_plan {

namespace {

const std::string prefix = "codec_";

/// codec_LIBRARY_LEVEL_NAME in its parts; an empty library where it is no such key.
struct CodecKey {
  std::string library, name;
  int level = 0;
};

CodecKey key_of(const std::string &key) {
  const size_t level = key.find('_', prefix.size());
  if (!key.starts_with(prefix) || level == std::string::npos) return {};
  const size_t name = key.find('_', level + 1);
  if (name == std::string::npos) return {};
  const std::string number = key.substr(level + 1, name - level - 1);
  const int value = std::atoi(number.c_str());
  if (value < 1 || std::to_string(value) != number) return {};
  return {key.substr(prefix.size(), level - prefix.size()), key.substr(name + 1), value};
}

/// The nearest level of a library; of two as near the higher one, which is slower.
const CodecRates::value_type *nearest(const CodecRates &rates, const std::string &library, int level) {
  const CodecRates::value_type *best = nullptr;
  for (const auto &each : rates) {
    if (each.first.first != library) continue;
    if (best == nullptr || std::abs(each.first.second - level) <= std::abs(best->first.second - level)) best = &each;
  }
  return best;
}

/// The library's choice among the codecs that were built in where the profile was measured.
std::string library_of(const sv::ChunkRequest &request, const CodecRates &rates) {
  if (request.zstd > 0) return "zstd";
  if (request.deflate_library != "auto") return request.deflate_library;
  std::string last;
  for (const sv::DeflateLibrary &each : sv::deflate_libraries) {
    if (nearest(rates, each.name, request.deflate) == nullptr) continue;
    last = each.name;
    if (request.deflate <= each.best_level) break;
  }
  return last.empty() ? "deflate" : last;
}

}  // namespace

CodecRates take_codecs(std::map<std::string, std::string> &values, const std::string &path) {
  CodecRates rates;
  for (auto at = values.begin(); at != values.end();) {
    const CodecKey key = key_of(at->first);
    double unused = 0, *to = nullptr;
    if (!key.library.empty()) {
      CodecRate &rate = rates[{key.library, key.level}];
      to = key.name == "bytes_per_second"        ? &rate.bytes_per_second
           : key.name == "node_bytes_per_second" ? &rate.node_bytes_per_second
           : key.name == "ratio"                 ? &rate.ratio
           : key.name == "read_bytes_per_second" || key.name == "node_read_bytes_per_second" ? &unused
                                                                                             : nullptr;
    }
    if (to == nullptr) {
      ++at;
      continue;
    }
    *to = sv::profile_number(at->first, at->second, 0, path);
    at = values.erase(at);
  }
  for (const auto &[codec, rate] : rates)
    if (rate.bytes_per_second <= 0 || rate.ratio <= 0)
      throw sv::Error(sv::Status::config,
                      "'" + prefix + codec.first + "_" + std::to_string(codec.second) +
                          "_bytes_per_second' and its '_ratio' are needed, above 0",
                      "docs/prediction.md explains them")
          .in_file(path);
  return rates;
}

CountedCodec counted_codec(const sv::ChunkRequest &request, const CodecRates &rates, double given_ratio) {
  if (!request.compresses()) return {};
  if (!request.shuffle)
    throw sv::Error(sv::Status::config, "compressing without shuffle is not predicted",
                    "Measure it, or leave shuffle on");
  if (request.quantization.amount > 0 && given_ratio <= 0)
    throw sv::Error(sv::Status::config, "the profile does not contain the size of quantized values",
                    "Give --ratio, or measure it");
  const int level = request.zstd > 0 ? request.zstd : request.deflate;
  const std::string library = library_of(request, rates);
  const CodecRates::value_type *const found = nearest(rates, library, level);
  if (found == nullptr)
    throw sv::Error(sv::Status::config, "the profile does not contain the rate of compression with " + library,
                    "Measure the profile with sverdrup probe, or add codec_" + library + "_" + std::to_string(level) +
                        "_bytes_per_second and _ratio");
  CountedCodec counted{library, found->first.second, found->second, given_ratio > 0};
  if (given_ratio > 0) counted.rate.ratio = given_ratio;
  return counted;
}

sv::Machine compressing(sv::Machine machine, const CountedCodec &codec) {
  if (codec.name.empty()) return machine;
  machine.compress_bytes_per_second = codec.rate.bytes_per_second;
  machine.compress_node_bytes_per_second = codec.rate.node_bytes_per_second;
  machine.compress_ratio = codec.rate.ratio;
  return machine;
}

std::string codec_text(const CountedCodec &codec) {
  char text[160];
  const int length = std::snprintf(text, sizeof text, "%s %d: %.4g MB/s of a core", codec.name.c_str(), codec.level,
                                   codec.rate.bytes_per_second / 1e6);
  std::string whole(text, static_cast<size_t>(length));
  if (codec.rate.node_bytes_per_second > 0) {
    std::snprintf(text, sizeof text, ", %.4g MB/s of a node", codec.rate.node_bytes_per_second / 1e6);
    whole += text;
  }
  std::snprintf(text, sizeof text, ", leaves %.4g of the bytes (%s)", codec.rate.ratio,
                codec.ratio_is_given ? "as given" : "of the profile");
  return whole + text;
}

std::string codec_json(const CountedCodec &codec) {
  if (codec.name.empty()) return "null";
  return sv::json_object({{"name", sv::json_text(codec.name)},
                          {"level", sv::json_number(int64_t{codec.level})},
                          {"bytes_per_second", sv::json_number(codec.rate.bytes_per_second)},
                          {"node_bytes_per_second", sv::json_number(codec.rate.node_bytes_per_second)},
                          {"ratio", sv::json_number(codec.rate.ratio)},
                          {"ratio_is_given", codec.ratio_is_given ? "true" : "false"}});
}

}  // namespace sv_plan
