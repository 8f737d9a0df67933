// The codecs of a machine profile, and which of them a configuration uses.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "model/chunk_request.hpp"
#include "prediction/prediction.hpp"

namespace sv_plan {

/// Of a codec at a level, with shuffle.
struct CodecRate {
  double bytes_per_second = 0, node_bytes_per_second = 0;  // of values; the second 0: not known
  double ratio = 0;                                        // bytes left of a byte
};
/// By library and level.
using CodecRates = std::map<std::pair<std::string, int>, CodecRate>;

/// Takes the keys of codecs out of a profile's values. Throws sv::Error.
CodecRates take_codecs(std::map<std::string, std::string> &values, const std::string &path);

/// The rates used in a prediction.
struct CountedCodec {
  std::string name;  // of the library; empty: nothing is compressed
  int level = 0;     // the nearest that the profile has
  CodecRate rate;
  bool ratio_is_given = false;  // by the user
};

/// `given_ratio`: of the user, 0: that of the profile. Throws sv::Error where the profile has no such codec, or the
/// request is not what it measured.
CountedCodec counted_codec(const sv::ChunkRequest &request, const CodecRates &rates, double given_ratio);
/// The machine, with the rates of this codec.
sv::Machine compressing(sv::Machine machine, const CountedCodec &codec);
/// "isal 1: 620 MB/s of a core, 1200 MB/s of a node, leaves 0.403 of the bytes (of the profile)"
std::string codec_text(const CountedCodec &codec);
std::string codec_json(const CountedCodec &codec);

}  // namespace sv_plan
